"""``linkwl audit``: does a split leak?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import QuietOption, check_json_target, console, say, write_json
from linkwl.cli.feature_options import Known, TypesOption
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.protocol_option import HorizonOption, ProtocolOption, UntilOption, choose_protocol, say_division
from linkwl.cli.reading_options import reads_graph
from linkwl.errors import InputError
from linkwl.files import check_writable, make_folder

if TYPE_CHECKING:
    from linkwl.graph.reading import Reading


@reads_graph()
def audit(
    graph: GraphArgument,
    how: Reading,
    protocol: ProtocolOption = None,
    until: UntilOption = None,
    horizon: HorizonOption = None,
    seed: Annotated[int, typer.Option(help="The seed of the split.", min=0)] = 0,
    split: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Audit these files instead: train.csv, valid.csv, test.csv and, if there are any, "
            "train_negatives.csv, valid_negatives.csv, test_negatives.csv.",
        ),
    ] = None,
    types: TypesOption = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the split to this folder, as such files.")
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Check that a split, ours or your own, does not leak: exit code 0 if it is clean, 1 if it is not.

    Pairs are compared without regard to their order. Checked: folds are disjoint, no held-out edge is observed, no
    negative is an edge, every target is listed once. For triples, relations that are another one turned round are
    listed as well, with the number of test facts that they give away.

    [bold]Examples[/]

      linkwl audit usair --seed 3

      linkwl audit my_edges.csv --split my_split/

      linkwl audit my_edges.csv --seed 0 --out split0/

      linkwl audit wn18rr_v1 --protocol entities
    """
    from linkwl.protocols import find_protocol
    from linkwl.reports.tables import audit_table
    from linkwl.splits import SPLIT_FILES, audit_split, read_split, write_split

    check_json_target(json, graph, types, *(split / name for name in SPLIT_FILES) if split is not None else ())
    if split is not None and out is not None:
        raise InputError("--split reads a split and --out writes one; give one of them.")
    if out is not None:
        make_folder(out)
        for name in SPLIT_FILES:
            check_writable(out / name, graph)
    if protocol is not None:
        find_protocol(protocol)  # reports an unknown name before a large file is read
    opened = open_graph(graph, reading=how, known=Known(types=types))
    chosen = choose_protocol(protocol, opened, until=until, horizon=horizon)
    loaded = chosen.view(opened)
    parts = read_split(split, loaded) if split is not None else chosen.apply(loaded, seed)
    result = audit_split(parts, loaded)
    if split is None:
        say_division(loaded, chosen)
        say(f"protocol `{chosen.id}`, seed {seed}")
    console.print(audit_table(result))
    if out is not None:
        write_split(parts, out)
        say(f"wrote the split to {out}")
    header = {
        "graph": asdict(loaded.record),
        "protocol": {"id": parts.protocol},
        "seed": parts.seed,
        "split": parts.digest,
    }
    write_json(json, header | result.to_json())
    if not result.passed:
        raise typer.Exit(1)
