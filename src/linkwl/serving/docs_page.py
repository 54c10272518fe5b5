"""A page that describes the API, made from its OpenAPI document: plain HTML, without scripts or anything remote."""

from __future__ import annotations

from html import escape
from typing import Any

STYLE_PATH = "/api/docs.css"
STYLE = """\
:root { color-scheme: light dark; --line: #8885; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid var(--line); padding: 0.5rem 0 1rem; }
h2 code { font-size: 1rem; }
code, pre { font-family: ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: 0.1em 0.3em; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
"""


def docs_page(schema: dict[str, Any]) -> str:
    """The page of an OpenAPI document."""
    sections, links = [], []
    for path, methods in schema["paths"].items():
        for method, about in methods.items():
            mark = escape(about["operationId"])
            title = f"<code>{escape(method.upper())} {escape(path)}</code>"
            links.append(f'<li><a href="#{mark}">{title}</a> {escape(_first_sentence(about))}</li>')
            sections.append(f'<section id="{mark}"><h2>{title}</h2>{_operation(about, schema)}</section>')
    body = "\n".join(
        [
            f"<h1>The API of {escape(schema['info']['title'])}</h1>",
            "<p>Requests that change something need the header <code>X-Linkwl: 1</code>. Every error has the shape "
            '<code>{"error": {"code": "...", "message": "..."}}</code>. The same as a document: '
            '<a href="/api/openapi.json">openapi.json</a>.</p>',
            f"<nav><ul>{''.join(links)}</ul></nav>",
            *sections,
        ]
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The API of linkwl</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="{STYLE_PATH}"></head><body><main>{body}</main></body></html>'
    )


def _first_sentence(about: dict[str, Any]) -> str:
    return str(about.get("description", "")).split("\n\n")[0].replace("\n", " ")


def _operation(about: dict[str, Any], schema: dict[str, Any]) -> str:
    parts = [f"<p>{_text(paragraph)}</p>" for paragraph in about.get("description", "").split("\n\n")]
    if about.get("parameters"):
        rows = [_parameter(value) for value in about["parameters"]]
        parts.append(_table("Parameter", rows))
    bodies = about.get("requestBody", {}).get("content", {})
    parts += [
        f"<h3>Body: {escape(kind)}</h3>{_shape(value.get('schema', {}), schema)}" for kind, value in bodies.items()
    ]
    answers = about.get("responses", {})
    for status in sorted(status for status in answers if status.startswith("2")):
        for kind, value in answers[status].get("content", {}).items():
            parts.append(f"<h3>Answer {status}: {escape(kind)}</h3>{_shape(value.get('schema', {}), schema)}")
    return "".join(parts)


def _parameter(value: dict[str, Any]) -> tuple[str, str, str]:
    default = value["schema"].get("default")
    note = "required" if value.get("required") else "optional" if default is None else f"default {default}"
    return value["name"], _kind(value["schema"]), f"{note}. {value.get('description', '')}".strip()


def _shape(value: dict[str, Any], schema: dict[str, Any]) -> str:
    """The fields of an object, in a table; the name of the type for anything else."""
    name = value.get("$ref", "").rpartition("/")[2]
    fields = schema.get("components", {}).get("schemas", {}).get(name, {}).get("properties")
    if not fields:
        return f"<p>{escape(_kind(value))}</p>" if value else ""
    rows = [(field, _kind(about), about.get("description", "")) for field, about in fields.items()]
    return _table("Field", rows)


def _table(first: str, rows: list[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td><td>{escape(words)}</td></tr>"
        for name, kind, words in rows
    )
    head = f"<tr><th>{first}</th><th>Type</th><th>Notes</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{cells}</tbody></table>"


def _kind(value: dict[str, Any]) -> str:
    """The name of a type, in words."""
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_kind(option) for option in value["anyOf"]))
    if "enum" in value or "const" in value:
        return ", ".join(str(option) for option in value.get("enum", [value.get("const")]))
    if value.get("type") == "array":
        return f"list of {_kind(value.get('items', {}))}"
    return str(value.get("type", "anything"))


def _text(paragraph: str) -> str:
    """A paragraph of a docstring; what stands between backticks is code."""
    parts = escape(paragraph.replace("\n", " ")).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
