"""Data sets by name: listed, found, fetched, adopted and loaded.

>>> from linkgram import datasets
>>> [record.name for record in datasets.list_data_sets()][:2]
['tgbl-wiki', 'tgbl-uci']
"""

from linkgram.datasets.data_set import DataSet
from linkgram.datasets.fetch import adopt, fetch
from linkgram.datasets.listing import DataSetRecord, list_data_sets
from linkgram.datasets.load import load
from linkgram.datasets.manifest import DataFile
from linkgram.datasets.places import DataSetFiles, find, home

__all__ = [
    "DataFile",
    "DataSet",
    "DataSetFiles",
    "DataSetRecord",
    "adopt",
    "fetch",
    "find",
    "home",
    "list_data_sets",
    "load",
]
