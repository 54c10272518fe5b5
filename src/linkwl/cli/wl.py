"""``linkwl wl``: which links does a Weisfeiler-Lehman test distinguish?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import ExcelSafeOption, QuietOption, check_json_target, console, facts, say, write_json
from linkwl.cli.graph_argument import JsonOption
from linkwl.cli.link_option import LinkCommand, LinkOption, split_links
from linkwl.cli.progress import progress_bar
from linkwl.cli.reading_options import GraphCommand, reads_graph
from linkwl.cli.wl_arguments import (
    GRAPH_HELP,
    GRAPH_NAMES,
    LABELS_HELP,
    TEST_NAMES,
    EngineOption,
    MemoryOption,
    check_label_files,
    choose_tests,
    complete_tests,
    complete_wl_graph,
    find_link,
    limit_in_bytes,
    open_labels,
    open_wl_graph,
)
from linkwl.errors import InputError, MemoryLimitError
from linkwl.files import check_writable, make_folder, write_text

if TYPE_CHECKING:
    from linkwl.graph.reading import Reading

app = typer.Typer(
    help=f"""Find out which links a Weisfeiler-Lehman test distinguishes.

    A test colours the nodes of a graph, or its pairs of nodes, and refines the
    colours round by round with those of their neighbours. Two links that keep equal
    colours are equal to the test, and to every neural network that works like it.

    Small example graphs have names: {GRAPH_NAMES}.""",
    epilog="Examples:  linkwl wl compare p6 --link 0 2 --link 0 3  |  linkwl wl refine airports --test 1-wl",
    no_args_is_help=True,
    add_completion=False,
)


@app.command("compare", cls=LinkCommand)
@reads_graph()
def compare_links(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", autocompletion=complete_wl_graph, help=f"The graph of the first link. {GRAPH_HELP}"
        ),
    ],
    how: Reading,
    b: Annotated[
        str | None,
        typer.Argument(
            metavar="B",
            autocompletion=complete_wl_graph,
            help="The graph of the second link; by default A.",
            show_default=False,
        ),
    ] = None,
    link: LinkOption = None,
    tests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="T[,T...]",
            autocompletion=complete_tests,
            help=f"Tests among {TEST_NAMES}; by default all.",
            show_default=False,
        ),
    ] = None,
    reading: Annotated[
        str,
        typer.Option(
            metavar="READING",
            help="How to treat a link that is an edge: removed (the edge is removed from its graph), "
            "masked (only the colour of the link itself is blanked) or visible.",
        ),
    ] = "removed",
    labels: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help=f"{LABELS_HELP} Give it once per graph.")
    ] = None,
    engine: EngineOption = "fast",
    memory_limit: MemoryOption = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Check for every test whether it distinguishes two links, in one graph or in two.

    A link is an ordered pair of nodes, named as in the file.

    [bold]Examples[/]

      linkwl wl compare p6 --link 0 2 --link 0 3

      linkwl wl compare rook --link 0 5 shrikhande --link 0 6

      linkwl wl compare airports --link JFK LAX --link JFK SFO --tests 2-fwl

      linkwl wl compare a.csv --link ann bob b.csv --link cid dan --json -
    """
    from linkwl.reports.verdicts import (
        describe_certainty,
        describe_comparison,
        describe_graph,
        describe_reading,
        verdict_table,
    )
    from linkwl.wl import compare

    files = labels or []
    check_json_target(json, a, b, *files)
    links = split_links(link)
    if len(links) != 2:
        raise InputError(f"expected two links, got {len(links)}; give --link twice, as in `--link 0 2 --link 0 3`.")
    wanted = choose_tests(TEST_NAMES if tests is None else ",".join(tests))
    limit = limit_in_bytes(memory_limit)
    texts = (a, a if b is None else b)
    names = list(dict.fromkeys(texts))
    if len(files) != 2 or b is None:  # a graph may be compared with itself under other labels
        check_label_files(files, len(names))
    graphs = {name: open_wl_graph(name, how) for name in names}
    first, second = (
        (graphs[text], find_link(graphs[text], text, ends)) for text, ends in zip(texts, links, strict=True)
    )
    own = [open_labels(file, graphs[text]) for file, text in zip(files, texts, strict=False)]
    with progress_bar() as bar:
        task = bar.add_task("comparing", total=len(wanted))

        def show(test: str) -> None:
            bar.update(task, completed=wanted.index(test), description=f"comparing with {test}")

        try:
            verdicts = compare(
                first,
                second,
                wanted,
                labels=(own[0], own[-1]) if own else (None, None),
                reading=reading,
                engine=engine,
                memory_limit=limit,
                on_test=show,
            )
        except MemoryLimitError as error:
            raise MemoryLimitError(f"{error} Choose the tests to run with --tests.") from None
    for name in names:
        say(describe_graph(graphs[name], name))
    say(f"{describe_comparison(first, second, texts)}; {describe_reading(reading, first, second, texts)}")
    console.print(verdict_table(verdicts))
    if any(verdict.equal for verdict in verdicts.values()):
        say(describe_certainty(verdicts))
    write_json(
        json,
        {
            "tests": {test: {"equal": v.equal, "round": v.round} for test, v in verdicts.items()},
            "reading": reading,
            "engine": engine,
            "error_bounds": {test: verdict.error_bound for test, verdict in verdicts.items()},
            "graphs": [asdict(graph.record) for graph, _ in (first, second)],
            "links": [[graph.ids[p], graph.ids[q]] for graph, (p, q) in (first, second)],
        },
    )


@app.command("refine", cls=GraphCommand)
@reads_graph()
def refine_graph(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", autocompletion=complete_wl_graph, help=GRAPH_HELP)],
    how: Reading,
    test: Annotated[str, typer.Option(metavar="T", autocompletion=complete_tests, help=f"One of {TEST_NAMES}.")],
    labels: Annotated[Path | None, typer.Option(metavar="FILE", help=LABELS_HELP)] = None,
    engine: EngineOption = "fast",
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the result without hashing; exit code 1 if it is not stable.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the colour of every node (1-wl) or ordered pair: CSV or Parquet."),
    ] = None,
    excel_safe: ExcelSafeOption = False,
    memory_limit: MemoryOption = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Colour a graph with a test until the colours are stable, and count the classes.

    All edges are visible. 1-wl colours nodes; the 2-wl and 2-fwl tests colour
    ordered pairs; 1-wl+01 and 1-wl+drnl colour links, each in a separate run.

    [bold]Examples[/]

      linkwl wl refine airports --test 1-wl

      linkwl wl refine usair --test local-2-fwl --verify --json usair.json

      linkwl wl refine edges.csv --test 2-wl --labels kinds.csv --out colours.csv
    """
    from linkwl.reports.colours import check_ending, check_num_rows, report_colours, write_colours
    from linkwl.wl import refine
    from linkwl.wl import verify as is_proved

    check_json_target(json, graph, labels)
    if out is not None:
        check_writable(out, graph, labels)
        _check_two_files("--out", out, json)
        check_ending(out)
    wanted = choose_tests(test)
    if len(wanted) > 1:
        raise InputError(f"--test {test}: a graph is coloured by one test at a time; name one.")
    if verify and wanted[0] in ("1-wl+01", "1-wl+drnl"):
        raise InputError(f"--verify has no proof for {wanted[0]}; omit it, and use --engine exact to be certain.")
    limit = limit_in_bytes(memory_limit)
    loaded = open_wl_graph(graph, how)
    if out is not None:
        check_num_rows(loaded, wanted[0])
    what = f"{loaded.name} by {wanted[0]}"
    with _spinner(f"colouring {what}") as show:
        colouring = refine(
            loaded,
            wanted[0],
            labels=None if labels is None else open_labels(labels, loaded),
            engine=engine,
            memory_limit=limit,
            on_round=lambda number, count: show(f"colouring {what}: round {number}, {count:,} classes"),
        )
        if verify:
            show(f"verifying {what}")
        verified = is_proved(colouring, memory_limit=limit) if verify else None
        show(f"counting the classes of {what}")
        report = report_colours(colouring, engine, verified=verified)
    console.print(facts(report.facts()))
    if out is not None:
        with _spinner(f"writing {out}"):
            write_colours(colouring, out, excel_safe=excel_safe)
        say(f"wrote the colours to {out}")
    write_json(json, report.to_json())
    if verified is False:
        raise typer.Exit(1)


@app.command("table")
def tabulate_relations(
    max_nodes: Annotated[
        int, typer.Option(metavar="N", help="Nodes of the largest enumerated graphs, 2 to 8; 7 takes half a minute.")
    ] = 6,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tables as Markdown.")] = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Recompute which test is finer than which, and compare with the claims of the paper.

    Every link of every graph up to a size is coloured by every test, without
    hashing. Exit code 1 if a proved relation is violated.

    [bold]Examples[/]

      linkwl wl table

      linkwl wl table --max-nodes 7 --json relations.json --markdown relations.md
    """
    from linkwl.reports import relation_table as report
    from linkwl.wl.relations import relation_table

    check_json_target(json)
    if markdown is not None:
        check_writable(markdown)
        _check_two_files("--markdown", markdown, json)
    with progress_bar() as bar:
        task = bar.add_task("relating the tests", total=None)

        def show(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=f"relating the tests: {what}")

        table = relation_table(max_nodes, on_progress=show)
    say(report.relations_title(table))
    console.print(report.relations_table(table))
    say(report.relations_legend(table))
    console.print(report.witnesses_table(table))
    say(report.containments_line(table))
    if markdown is not None:
        write_text(markdown, report.relations_markdown(table))
        say(f"wrote the tables to {markdown}")
    write_json(json, table.to_json())
    if table.violations:
        raise typer.Exit(1)


@app.command("figures")
def draw_witnesses(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the figures, SVG and PNG.")],
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Draw the links that one test distinguishes and another does not, as each test sees them.

    [bold]Example[/]

      linkwl wl figures --out figures
    """
    from linkwl.reports.wl_figures import draw_figures

    check_json_target(json)
    make_folder(out)
    with progress_bar() as bar:
        task = bar.add_task("drawing", total=None)
        paths = draw_figures(out, on_progress=lambda done, total, path: bar.update(task, completed=done, total=total))
    pages = list(dict.fromkeys(path.stem for path in paths))
    say(f"wrote {len(paths)} files to {out}: {', '.join(pages)}, each as .svg and .png")
    write_json(json, {"files": [str(path) for path in paths]})


def _check_two_files(option: str, path: Path, json: str | None) -> None:
    if json is not None and json != "-" and Path(json).resolve() == path.resolve():
        raise InputError(f"{option} and --json both name {path}; give two files.")


@contextmanager
def _spinner(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner for work of unknown length; yields a function that changes its text."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    bar = (
        Progress(*columns, console=console, transient=True)
        if console.is_terminal and not console.quiet
        else progress_bar()
    )
    with bar as progress:
        task = progress.add_task(text, total=None)
        yield lambda changed: progress.update(task, description=changed)
