"""Records as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from linkwl.metrics import find_metric
from linkwl.records import Evaluation, RunRecord
from linkwl.splits import Audit
from linkwl.typing import Task


def evaluation_title(evaluation: Evaluation, task: Task = "pairs") -> str:
    """The graph, the protocol and the seeds."""
    graph, seeds = evaluation.graph, evaluation.seeds
    splits = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    protocol, what = evaluation.protocol["id"], "edges" if task == "pairs" else "facts"
    return f"{graph.name}: {graph.nodes:,} nodes, {graph.edges:,} {what}; protocol `{protocol}`, {splits}"


def evaluation_table(evaluation: Evaluation, order: Sequence[str] | None = None) -> Table:
    """Mean and standard deviation of every metric in percent, and the times to fit and to score the test targets.

    Args:
        evaluation: The runs.
        order: The models in the order of the rows, with their validation scores; by default as they were run, without.
    """
    metrics = list(evaluation.runs[0].metrics)
    table = Table(box=None, header_style="bold")
    table.add_column("model")
    titles = (f"{find_metric(metric).title} %".replace(" (", "\n(") for metric in metrics)
    selects = evaluation.protocol.get("selects") or evaluation.protocol["metrics"][0]
    valid = [f"valid\n{find_metric(selects).title} %"] if order else []
    for name in (*valid, *titles, "fit\nseconds", "score\nseconds"):
        table.add_column(name, justify="right")
    runs_of = _runs(evaluation)
    for model in order or runs_of:
        runs, cells = runs_of[model], []
        if order:
            cells.append(f"{100 * sum(run.valid[selects] for run in runs) / len(runs):.2f}")
        for name in metrics:
            values = evaluation.summary[model][name]
            spread = f" ± {100 * values['std']:.2f}" if len(runs) > 1 else ""
            cells.append(f"{100 * values['mean']:.2f}{spread}")
        fit, score = (sum(run.seconds[part] for run in runs) / len(runs) for part in ("fit", "predict"))
        table.add_row(model, *cells, f"{fit:.2f}" if fit else "–", f"{score:.3f}")
    return table


def evaluation_methods(evaluation: Evaluation) -> list[str]:
    """How each model computes its scores, a line each."""
    return [f"{model}: {runs[0].method}" for model, runs in _runs(evaluation).items()]


def _runs(evaluation: Evaluation) -> dict[str, list[RunRecord]]:
    return {model: [run for run in evaluation.runs if run.model == model] for model in evaluation.summary}


def results_markdown(evaluations: Sequence[Evaluation], metric: str) -> str:
    """One row per graph, one column per model: mean ± standard deviation in percent, the best mean in bold."""
    models = list(evaluations[0].summary)
    lines = [f"| {find_metric(metric).title} % | {' | '.join(models)} |", f"|---|{'--:|' * len(models)}"]
    for evaluation in evaluations:
        cells = {model: evaluation.summary[model][metric] for model in models}
        best = max(round(100 * cell["mean"], 1) for cell in cells.values())
        row = []
        for cell in cells.values():
            mark = "**" if round(100 * cell["mean"], 1) == best else ""
            row.append(f"{mark}{100 * cell['mean']:.1f}{mark} ± {100 * cell['std']:.1f}")
        lines.append(f"| {evaluation.graph.name} | {' | '.join(row)} |")
    return "\n".join(lines)


def audit_table(audit: Audit) -> Table:
    """Every check with its verdict, and the counts of the folds."""
    table = Table(box=None, header_style="bold")
    table.add_column("check")
    table.add_column("verdict")
    for check in audit.checks:
        example = f", first {' - '.join(check.example)}" if check.example else ""
        broken = escape(f"broken by {check.offenders:,} pairs{example}")
        verdict = "[green]holds[/]" if check.passed else f"[bold red]{broken}[/]"
        table.add_row(check.name, verdict)
    for fold, counts in audit.counts.items():
        table.add_row(
            f"[dim]{fold}[/]",
            f"[dim]{counts['observed']:,} observed edges, {counts['positives']:,} positives, "
            f"{counts['negatives']:,} negatives[/]",
        )
    if audit.left_out:
        table.add_row("[dim]edges of the graph in no fold[/]", f"[dim]{audit.left_out:,}[/]")
    for what, shares in _related(audit):
        table.add_row(f"[dim]{escape(what)}[/]", f"[dim]{shares}[/]")
    for what, number in audit.findings.items():
        table.add_row(f"[dim]{what}[/]", f"[dim]{number:,}[/]")
    table.add_row("[bold]verdict[/]", "[bold green]no leak[/]" if audit.passed else "[bold red]this split leaks[/]")
    return table


def _related(audit: Audit) -> Iterator[tuple[str, str]]:
    """Relations that give each other away, and the shares of facts that do."""
    for inverse in audit.inverses:
        shares = f"for {inverse.share:.0%} of {inverse.facts:,} facts"
        if inverse.is_symmetric:
            yield f"{inverse.relation} holds both ways", shares
        else:
            shares += f", and {inverse.inverse_share:.0%} of {inverse.inverse_facts:,}"
            yield f"{inverse.inverse} is {inverse.relation} turned round", shares
    for pair in audit.duplicates:
        shares = f"for {pair.share:.0%} of {pair.facts:,} facts, and "
        shares += f"{pair.duplicate_share:.0%} of {pair.duplicate_facts:,}"
        yield f"{pair.duplicate} is nearly the same as {pair.relation}", shares
