"""A made-up world of film viewing, for a first look at the model without any data.

Viewers come back again and again. What they watch next has three causes: films that are popular,
films they have watched before, and sequels: each film has a few that tend to follow it, the same
for all viewers, which is what pooled transitions can learn. Everything is drawn from one seed.
"""

from __future__ import annotations

import numpy as np

from linkgram.events import EventStream

_FIRST = (
    "Silent", "Golden", "Paper", "Northern", "Hidden", "Broken", "Velvet", "Distant", "Crimson",
    "Winter", "Electric", "Hollow", "Burning", "Little", "Midnight", "Glass",
)  # fmt: skip
_SECOND = (
    "Harbour", "Garden", "Letter", "Engine", "River", "Window", "Crown", "Journey", "Orchard",
    "Signal", "Mirror", "Station", "Island", "Promise", "Shadow", "Summer",
)  # fmt: skip
_VIEWERS = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jon")
_HOUR = 3600.0


def film_world(
    *, events: int = 20_000, viewers: int = 400, films: int = 200, seed: int = 1
) -> EventStream:
    """Viewings of a made-up world, in time order; times are seconds.

    >>> world = film_world(events=100)
    >>> len(world), world == film_world(events=100)
    (100, True)
    """
    random = np.random.Generator(np.random.PCG64(seed))
    titles = [f"{_FIRST[k % 16]} {_SECOND[(k // 16 + k) % 16]}" for k in range(films)]
    if films > 256:
        titles = [f"{title} {k // 256 + 1}" for k, title in enumerate(titles)]
    names = [
        _VIEWERS[k] if k < len(_VIEWERS) else f"{_VIEWERS[k % 10]} {k // 10}"
        for k in range(viewers)
    ]
    popularity = 1.0 / np.arange(1, films + 1) ** 0.8
    activity = 1.0 / np.arange(1, viewers + 1) ** 0.6
    popularity /= popularity.sum()
    activity /= activity.sum()
    sequels = np.stack([random.permutation(films)[:3] for _ in range(films)])
    who = random.choice(viewers, events, p=activity)
    popular = random.choice(films, events, p=popularity)
    cause = random.random(events)
    pick = random.random(events)
    times = np.cumsum(random.exponential(_HOUR / 4, events)).round()
    watched: list[list[int]] = [[] for _ in range(viewers)]
    seen = np.empty(events, np.int64)
    for k in range(events):
        past = watched[who[k]]
        if past and cause[k] < 0.45:
            film = int(sequels[past[-1], int(pick[k] ** 2 * 3)])
        elif past and cause[k] < 0.65:
            film = past[-1 - int(pick[k] ** 2 * min(len(past), 20))]
        else:
            film = int(popular[k])
        past.append(film)
        seen[k] = film
    return EventStream.from_arrays([names[k] for k in who], [titles[k] for k in seen], times)
