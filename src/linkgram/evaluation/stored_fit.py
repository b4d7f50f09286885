"""The fit behind a stored result: its weights and configuration, ready to rank again.

A result keeps no ranks. They come back to the bit from its weights, without fitting.
"""

from __future__ import annotations

from linkgram import _core
from linkgram.configuration import Configuration
from linkgram.evaluation.fit import Fit, FitSettings, SeedFit
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.result import Result


def stored_fit(protocol: Protocol, result: Result) -> Fit:
    """The fit whose weights `result` holds, over the vocabularies of `protocol`.

    Evidence is not kept in a result: `validation_memory` is the default here.
    """
    facts = result.facts
    settings = dict(facts["configuration"])
    settings["decay"] = float(settings["decay"])
    configuration = Configuration.from_dict(settings)
    runs = tuple(
        SeedFit(
            run["seed"], tuple(run["weights"].values()), run["epoch"], tuple(run["validation_mrr"])
        )
        for run in facts["runs"]
    )
    stream, evidence = protocol.stream, facts["validation_evidence"]
    model = _core.Model(
        configuration.to_dict(), len(stream.source_ids), len(stream.destination_ids)
    )
    # A fit leaves its model with the training events observed; no query is asked, no seed draws.
    end = protocol.split.training_end
    model.extract(stream, end, end, [], 1, 1)
    return Fit(
        configuration=configuration,
        runs=runs,
        settings=FitSettings(**facts["fit"]),
        validation_kept=evidence["kept"],
        validation_bytes=evidence["bytes"],
        _model=model,
    )
