"""Options that several commands share: a command takes one value, and the options that make it stand in its place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Command = Callable[..., None]


@dataclass(frozen=True)
class OptionGroup:
    """Options and the value that they make together."""

    options: Mapping[str, tuple[Any, Any]]
    """Annotation and default of every option, by its name."""
    make: Callable[..., Any]
    """Makes the value from the options' values, given by name."""

    def without(self, *names: str) -> OptionGroup:
        """The group without some of its options, of which ``make`` then has the defaults."""
        rest = {name: option for name, option in self.options.items() if name not in names}
        return OptionGroup(rest, self.make)


def with_options(**groups: OptionGroup) -> Callable[[Command], Command]:
    """Gives a command the options of groups in place of the parameters of the groups' names.

    The annotations of these parameters are not evaluated, so that their types need not be imported to show help.
    """

    def decorate(command: Command) -> Command:
        def run(**arguments: Any) -> None:
            values = {
                parameter: group.make(**{name: arguments.pop(name) for name in group.options})
                for parameter, group in groups.items()
            }
            command(**arguments, **values)

        parameters = []
        for parameter in inspect.signature(command).parameters.values():
            if parameter.name in groups:
                options = groups[parameter.name].options
            else:
                kind = eval(parameter.annotation, command.__globals__)
                options = {parameter.name: (kind, parameter.default)}
            parameters += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
                for name, (kind, default) in options.items()
            ]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate
