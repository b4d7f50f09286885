"""Choices: the paper's feature sets, as its table has them."""

from __future__ import annotations

import pytest

from linkgram import Configuration
from linkgram.configuration import ADDITIONS
from linkgram.errors import SettingError
from linkgram.evaluation import choices

# The paper, appendix "Hyperparameters and their provenance": marginal, continuation.
TABLE = {
    "tgbl-wiki": ("all-three", "all-three"),
    "tgbl-uci": ("all-three", "all-three"),
    "tgbl-enron": ("all-three", "all-three"),
    "tgbl-subreddit": ("reference", "global-recency"),
    "tgbl-lastfm": ("all-three", "all-three"),
    "tgbl-review": ("co-occurrence", "co-occurrence"),
    "tgbl-coin": ("all-three", "all-three"),
    "tgbl-comment": ("multi-scale", "global-recency"),
    "tgbl-flight": ("all-three", "all-three"),
    "GoogleLocal": ("co-occurrence", "co-occurrence"),
    "Yelp": ("all-three", "all-three"),
    "Taobao": ("co-occurrence", "co-occurrence"),
    "ML-20M": ("co-occurrence", "co-occurrence"),
    "Flickr": ("all-three", "all-three"),
    "YouTube": ("all-three", "all-three"),
    "WikiLink": ("all-three", "all-three"),
}


@pytest.mark.parametrize("name", TABLE)
def test_every_data_set_of_the_paper_has_its_feature_sets(name):
    found = tuple(choices.feature_set_of(name, backoff) for backoff in ("marginal", "continuation"))
    assert found == TABLE[name]


def test_other_data_gets_everything():
    for name in ("mine", "default", ""):
        assert choices.feature_set_of(name, "marginal") == "all-three"
        assert choices.feature_set_of(name, "continuation") == "all-three"


def test_feature_sets_are_additions_in_order():
    sets = choices.feature_sets()
    assert sets == {
        "reference": (), "co-occurrence": ("co-occurrence",),
        "global-recency": ("global-recency",), "multi-scale": ("multi-scale",),
        "all-three": ADDITIONS,
    }  # fmt: skip
    for name, additions in sets.items():
        assert choices.additions_of(name) == additions
        assert choices.name_of(Configuration(additions=additions).additions) == name


def test_a_set_without_a_name_is_called_by_its_members():
    assert choices.name_of(("co-occurrence", "multi-scale")) == "co-occurrence+multi-scale"


def test_an_unknown_set_is_refused_and_the_known_named():
    with pytest.raises(SettingError, match="'everything' is unknown; accepted: reference, co-occ"):
        choices.additions_of("everything")


def test_the_additions_bring_the_paper_s_number_of_parameters():
    """K+4 with the bias in the reference, one more for each of two additions, two for the third."""
    counts = {
        name: len(Configuration(additions=additions).feature_names) + 1
        for name, additions in choices.feature_sets().items()
    }
    assert counts == {
        "reference": 9, "co-occurrence": 10, "global-recency": 10, "multi-scale": 11,
        "all-three": 13,
    }  # fmt: skip
