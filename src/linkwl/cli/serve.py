"""``linkwl serve``: a page to explore, judge and understand missing links."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from linkwl.cli.console import QuietOption, say
from linkwl.errors import InputError


def serve(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help="The folder of a trained model; by default that of the airports.", show_default=False
        ),
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen; others need a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0 for any free one.")] = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", envvar="LINKWL_TOKEN", show_envvar=True, help="A secret that every visitor needs."
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="One more name that browsers may use; may be repeated."),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where your decisions are kept; by default your data folder."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Serve a page, on this machine, to explore, judge and understand the missing links of a trained model.

    The page ranks missing links or facts, explains each, and keeps what you accept and reject. Without a folder it
    shows the missing routes between US airports, with a model that is part of the package. Nothing is sent anywhere.
    Beyond this machine, --host needs --token.

    [bold]Examples[/]

      linkwl serve

      linkwl serve my-model --open

      linkwl serve my-model --port 0 --decisions decisions

      linkwl serve my-model --host 0.0.0.0 --token 5e0c1d7a9b3f
    """
    _check_installed()
    from linkwl.serving.address import check_reach, listen, policy_for

    check_reach(host, token)
    own = listen(host, port)  # before anything is computed
    try:
        from linkwl.serving.server import run

        used = own.getsockname()[1]
        policy = policy_for(host, used, token, allow_host or ())
        app = _make_app(folder, decisions, policy)
        address = f"http://{_shown(host)}:{used}/" + (f"?token={token}" if token is not None else "")

        def announce() -> None:
            say(f"{app.state.served.current.name}: open {address} in a browser; Ctrl-C stops")
            if open_browser:
                import webbrowser

                webbrowser.open(address)

        run(app, own, on_start=announce)
    finally:
        own.close()
    say("stopped")


def _make_app(folder: Path | None, decisions: Path | None, policy: Any) -> Any:
    from platformdirs import user_data_path

    from linkwl.cli.progress import progress_bar
    from linkwl.datasets.locate import cache_folder
    from linkwl.predict import LinkPredictor
    from linkwl.serving import create_app
    from linkwl.serving.bundled import AIRPORTS

    predictor = LinkPredictor.load(AIRPORTS if folder is None else folder)
    with progress_bar() as bar:
        task = bar.add_task("ranking missing links", total=None)
        return create_app(
            predictor,
            policy=policy,
            decisions=user_data_path("linkwl") / "decisions" if decisions is None else decisions,
            cache=cache_folder() / "rankings",
            on_progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _check_installed() -> None:
    from importlib.util import find_spec

    if missing := [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]:
        raise InputError(f"the server needs {' and '.join(missing)}; install it with `pip install 'linkwl[serve]'`.")


def _shown(host: str) -> str:
    """The address to open: a server that listens everywhere is opened at this machine."""
    plain = host.strip("[]")
    if plain in ("0.0.0.0", "::"):
        return "127.0.0.1" if plain == "0.0.0.0" else "[::1]"
    return f"[{plain}]" if ":" in plain else plain
