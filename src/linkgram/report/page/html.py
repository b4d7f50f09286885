"""HTML as a value: text is escaped unless it is already HTML.

Everything a page shows goes through `tag`; ids out of a data set may hold markup, and must come
out as the characters they are.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from typing import Any

_VOID = frozenset({"meta", "br", "hr"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(value: object) -> Html:
    """A value as HTML: itself if it is HTML, else its text with every special character escaped.

    >>> escaped("<b>"), escaped(Html("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    if isinstance(value, Html):
        return value
    # Control characters are no HTML, whatever their escape; they are shown as what they are not.
    readable = "".join(
        c if c >= " " or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in str(value)
    )
    return Html(html.escape(readable.encode("utf-8", "replace").decode(), quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """An element; `class_` is `class`, `data_value` is `data-value`; None leaves one out.

    >>> tag("a", "x < y", class_="n", href="#top", title='"')
    '<a class="n" href="#top" title="&quot;">x &lt; y</a>'
    >>> tag("button", disabled=True, data_value=None)
    '<button disabled></button>'
    """
    parts = [name]
    for key, value in attributes.items():
        spelled = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(spelled)
        elif value is not None and value is not False:
            parts.append(f'{spelled}="{escaped(value)}"')
    opening = f"<{' '.join(parts)}>"
    return Html(opening) if name in _VOID else Html(f"{opening}{joined(children)}</{name}>")


def joined(children: Iterable[object]) -> Html:
    """Elements and texts one after another; None is nothing.

    >>> joined(["&", tag("br"), None])
    '&amp;<br>'
    """
    return Html("".join(escaped(child) for child in children if child is not None))


def data_block(value: Any) -> Html:
    r"""A value as JSON that can stand inside a script element: no character can end the element.

    >>> data_block({"id": "</script>"})
    '{"id":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Html(text)
