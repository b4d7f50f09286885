"""The paper's analyses, one file each: a data set in, a table out.

Each study has `settings(subject)`, which goes into its key, and `findings(subject)`, its table.
"""

from linkgram.studies.catalogue import STUDIES, run_study
from linkgram.studies.subject import Subject

__all__ = ["STUDIES", "Subject", "run_study"]
