"""Which module of the standard library imports which: ``python examples/directed_imports.py [MODEL]``."""

import ast
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import linkwl


def imports(folder: Path) -> Iterator[tuple[str, str]]:
    """Every module and package at the top of the folder, with what it imports from there."""
    known = set(sys.stdlib_module_names)
    for name in sorted(known):
        single, package = folder / f"{name}.py", folder / name
        for file in [single] if single.exists() else sorted(package.glob("*.py")):
            for node in ast.walk(ast.parse(file.read_bytes())):
                if isinstance(node, ast.Import):
                    found = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    found = [node.module or ""]
                else:
                    continue
                yield from ((name, target) for each in found if (target := each.partition(".")[0]) in known - {name})


def main(model: str = "ra") -> None:
    """Ranks imports that do not exist; a module that imports another is not imported by it."""
    library = linkwl.load_graph(
        list(imports(Path(sysconfig.get_path("stdlib")))), directed=True, name="standard library"
    )
    print(library)
    predictor = linkwl.LinkPredictor(model).fit(library)
    print(f"AUC on hidden imports: {predictor.record_.test['auc']:.2f}")
    for link in predictor.recommend(5):
        print(f"{link.probability:.2f}  {link.source} -> {link.target}")
    both = predictor.predict_proba([("json", "re"), ("re", "json")])[:, 1]
    print(f"json -> re {both[0]:.4f}, re -> json {both[1]:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
