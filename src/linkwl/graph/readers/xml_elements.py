"""The elements of an XML file, in its order; linear in its size, without a tree and without entities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from linkwl.errors import InputError
from linkwl.graph.readers.text_source import read_text


def parse_xml(
    path: Path,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str, str], None],
    encoding: str | None = None,
) -> None:
    """Calls ``start(tag, attributes)`` and ``end(tag, text)`` for every element; tags without their namespaces.

    The text of an element is that before its first child.

    Raises:
        InputError: If the file is not well-formed, declares entities, or lacks an attribute that a caller looks up.
    """
    parser = expat.ParserCreate(None if encoding is None else "utf-8")
    parser.buffer_text = True
    texts: list[str] = []

    def on_start(tag: str, attributes: dict[str, str]) -> None:
        texts.clear()
        start(tag.rpartition(":")[2], attributes)

    def on_end(tag: str) -> None:
        end(tag.rpartition(":")[2], "".join(texts).strip())
        texts.clear()

    def on_entity(*_: object) -> None:
        problem = "it declares entities of its own, which are not read; write the file again without them."
        raise InputError(problem, path=path, line=parser.CurrentLineNumber)

    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.CharacterDataHandler = texts.append
    parser.EntityDeclHandler = on_entity
    try:
        parser.Parse(memoryview(read_text(path, encoding)), True)  # in one piece: a long token is read once
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        if "encoding" in what:
            raise InputError("the encoding that it names cannot be read; save it as UTF-8.", path=path) from error
        problem = f"not well-formed XML ({what}); write the file again."
        raise InputError(problem, path=path, line=error.lineno) from error
    except KeyError as error:
        problem = f"a node or edge element has no {error} attribute; write the file again."
        raise InputError(problem, path=path) from error
    except (LookupError, ValueError) as error:
        raise InputError("the encoding that it names cannot be read; save it as UTF-8.", path=path) from error
