"""Hypothesis strategies for the same things as `streams`: what they find, they shrink."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from tests.support.naive import Settings
from tests.support.streams import ADDITION_SUBSETS, BACKOFFS, Event

GAPS = (0.0, 0.0, 0.25, 1.0, 1.0, 7.0, 45.0, 1e3, 1e7)
STARTS = (0.0, 1e9, -1e6)


def event_lists(
    *, min_size: int = 1, max_size: int = 25, sources: int = 3, destinations: int = 5
) -> st.SearchStrategy[list[Event]]:
    """Events of few sources and destinations in time order, with ties and gaps of up to 1e7."""
    steps = st.tuples(
        st.integers(0, sources - 1), st.integers(0, destinations - 1), st.sampled_from(GAPS)
    )
    drawn = st.lists(steps, min_size=min_size, max_size=max_size)
    return st.builds(_in_time, drawn, st.sampled_from(STARTS))


def _in_time(steps: list[Event], start: float) -> list[Event]:
    events, now = [], start
    for source, destination, gap in steps:
        now += gap
        events.append((source, destination, now))
    return events


def settings(*, max_depth: int = 8) -> st.SearchStrategy[Settings]:
    """Any settings of the model, decayed or not."""
    return st.builds(
        Settings,
        depth=st.integers(1, max_depth),
        backoff=st.sampled_from(BACKOFFS),
        additions=st.sampled_from(ADDITION_SUBSETS),
        alpha=st.sampled_from([1.0, 0.01, 20.0]),
        decay=st.sampled_from([math.inf, 0.3, 10.0, 1000.0]),
        recency=st.sampled_from([0.5, 4.0, 1e4]),
    )
