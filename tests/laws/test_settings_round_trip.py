"""Settings survive being written: as TOML, as a file, as plain values."""

from __future__ import annotations

import contextlib
import math
import tempfile
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.streams import ADDITION_SUBSETS, BACKOFFS

from linkgram import Configuration, LinkgramError, SettingError

SCALES = st.one_of(st.none(), st.floats(1e-290, 1e300))
CONFIGURATIONS = st.builds(
    Configuration,
    depth=st.integers(1, 64),
    backoff=st.sampled_from(BACKOFFS),
    additions=st.sampled_from(ADDITION_SUBSETS),
    alpha=st.floats(1e-30, 1e30),
    decay=st.one_of(SCALES, st.just(math.inf)),
    recency=SCALES,
    recency_share=st.floats(1e-290, 1e300),
    cells=st.sampled_from(["float32", "float64"]),
)


@given(configuration=CONFIGURATIONS)
@run(max_examples=200, deadline=None)
def test_settings_come_back_from_toml_from_a_file_and_from_values(configuration) -> None:
    text = configuration.to_toml()
    assert Configuration.from_toml(text) == configuration
    assert Configuration.from_dict(configuration.to_dict()) == configuration
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_text(text, encoding="utf-8")
        assert Configuration.from_toml(path) == configuration


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("depth = 0", "depth"),
        ("depht = 3", "depht"),
        ('additions = ["nope"]', "additions"),
        ("decay = nan", "decay"),
        ('decay = "3"', "decay"),
        ("depth = 2024-01-01", "depth"),
        ("depth = ", None),
        ("[depth]\nvalue = 3", "depth"),
    ],
)
def test_toml_that_holds_no_settings_is_refused_by_name(text, setting) -> None:
    with pytest.raises(SettingError) as refused:
        Configuration.from_toml(text)
    assert refused.value.setting == setting


@given(text=st.text(max_size=40))
@run(max_examples=200, deadline=None)
def test_any_text_is_settings_or_refused(text) -> None:
    with contextlib.suppress(LinkgramError):
        assert isinstance(Configuration.from_toml(text), Configuration)


@pytest.mark.parametrize("name", [field.name for field in fields(Configuration)])
def test_a_setting_cannot_be_changed_afterwards(name) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(Configuration(), name, 1)
