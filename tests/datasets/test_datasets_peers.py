"""The same files read by the benchmarks' own packages, where those are installed."""

import gzip
import importlib
import os
from pathlib import Path

import numpy as np
import pytest
from tests.support.benchmark_files import seq_negatives, seq_text, tgb_files

from linkgram import datasets

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
NO_WARNINGS = pytest.mark.filterwarnings("ignore")


def peer(module):
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        pytest.skip(f"{module.split('.')[0]} is not installed: {problem}")


def official(name, folder):
    """TGB's own data set, from files in `folder`."""
    tgb = peer("tgb.linkproppred.dataset")
    root = os.path.relpath(folder, tgb.PROJ_DIR)
    return tgb.LinkPropPredDataset(name=name, root=root, download=False)


def same_events(data_set, theirs):
    stream, full = data_set.stream, theirs.full_data
    assert np.array_equal(stream.source_ids[stream.sources], full["sources"])
    assert np.array_equal(stream.destination_ids[stream.destinations], full["destinations"])
    assert np.array_equal(stream.times, full["timestamps"])
    assert stream.destination_ids.tolist() == list(
        range(theirs.min_dst_idx, theirs.max_dst_idx + 1)
    )
    index = np.arange(len(stream))
    assert np.array_equal(theirs.train_mask, index < data_set.training_end)
    assert np.array_equal(theirs.test_mask, index >= data_set.validation_end)
    assert theirs.val_mask.sum() == data_set.validation_end - data_set.training_end


@NO_WARNINGS
@pytest.mark.parametrize(
    ("name", "layout", "version"),
    [
        ("tgbl-wiki", "wiki", 2),
        ("tgbl-uci", "uci", 1),
        ("tgbl-enron", "uci", 1),
        ("tgbl-subreddit", "wiki", 1),
        ("tgbl-lastfm", "wiki", 1),
        ("tgbl-review", "review", 2),
        ("tgbl-coin", "coin", 2),
        ("tgbl-comment", "comment", 1),
        ("tgbl-flight", "flight", 2),
    ],
)
def test_tgb_reads_the_same(name, layout, version, tmp_path):
    folder = tmp_path / name.replace("-", "_")
    folder.mkdir()
    for file, content in tgb_files(name, layout, version).items():
        (folder / file).write_bytes(content)
    if name == "tgbl-flight":
        header = "airport_code,type,continent,iso_region,longitude,latitude\n"
        (folder / "airport_node_feat_v2.csv").write_text(header)
    data_set = datasets.load(name, directory=tmp_path)
    theirs = official(name, tmp_path)
    same_events(data_set, theirs)
    for split, short, load in (
        ("validation", "val", theirs.load_val_ns),
        ("test", "test", theirs.load_test_ns),
    ):
        load()
        part = getattr(data_set, split)
        columns = (
            part.source_ids[part.sources],
            part.destination_ids[part.destinations],
            part.times.astype(np.int64),
        )
        expected = theirs.negative_sampler.query_batch(*columns, split_mode=short)
        offsets, destinations = data_set.shipped.arrays(split)
        ours = np.split(destinations + part.destination_ids[0], offsets[1:-1])
        assert [row.tolist() for row in ours] == expected


@NO_WARNINGS
@pytest.mark.parametrize("name", ["enron", "uci"])
def test_tgb_reads_its_real_streams_the_same(name, tmp_path):
    path = DATA / f"tgbl_{name}" / f"tgbl-{name}_edgelist.csv.gz"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    plain = tmp_path / f"tgbl_{name}" / f"tgbl-{name}_edgelist.csv"
    plain.parent.mkdir()
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    same_events(datasets.load(name, directory=DATA), official(f"tgbl-{name}", tmp_path))


@NO_WARNINGS
def test_tgb_seq_reads_the_same(tmp_path):
    loader = peer("tgb_seq.LinkPred.dataloader")
    folder = tmp_path / "Yelp"
    folder.mkdir()
    (folder / "Yelp.csv").write_text(seq_text())
    np.save(folder / "Yelp_test_ns.npy", seq_negatives())
    theirs = loader.TGBSeqLoader("Yelp", str(tmp_path))
    data_set = datasets.load("Yelp", directory=tmp_path)
    stream = data_set.stream
    assert np.array_equal(stream.source_ids[stream.sources], theirs.src_node_ids)
    assert np.array_equal(stream.destination_ids[stream.destinations], theirs.dst_node_ids)
    assert np.array_equal(stream.times, theirs.node_interact_times)
    index = np.arange(len(stream))
    assert np.array_equal(theirs.train_mask, index < data_set.training_end)
    assert np.array_equal(theirs.test_mask, index >= data_set.validation_end)
    _, destinations = data_set.shipped.arrays("test")
    assert np.array_equal(destinations.reshape(20, 100) + 1, theirs.negative_samples)
