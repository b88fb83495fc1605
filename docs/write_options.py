"""Write the options of every command into command-line.md; run after changing one."""

from __future__ import annotations

import argparse
from pathlib import Path

from fenpack.__main__ import _parser

PAGE = Path(__file__).parent / "command-line.md"
MARK = "<!-- What follows is written by write_options.py. -->\n"


def commands() -> dict[str, argparse.ArgumentParser]:
    """Give the parser of each command."""
    [action] = (one for one in _parser()._actions if isinstance(one.choices, dict))
    return dict(action.choices or {})


def described() -> str:
    """Describe every command with its options and exit codes."""
    return "\n".join(_section(name, parser) for name, parser in commands().items())


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    lines = [
        f"## {name}",
        "",
        parser.description or "",
        "",
        "| option | meaning |",
        "| --- | --- |",
    ]
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction):
            meaning = action.help or ""
            if action.choices and action.metavar is None:
                meaning += f": {', '.join(f'`{choice}`' for choice in action.choices)}"
            if action.required and action.option_strings:
                meaning += " (required)"
            lines.append(f"| {_spelled(action)} | {meaning} |")
    epilog = " ".join((parser.epilog or "").split())
    return "\n".join([*lines, "", f"{epilog[:1].upper()}{epilog[1:]}.", ""])


def _spelled(action: argparse.Action) -> str:
    names = action.option_strings or [action.dest.upper()]
    value = ""
    if action.option_strings and action.nargs != 0:
        value = f" {action.metavar or action.dest.upper()}"
    elif action.nargs == "+":
        value = " …"
    return ", ".join(f"`{name}{value}`" for name in names)


if __name__ == "__main__":
    head, _, _ = PAGE.read_text("utf-8").partition(MARK)
    PAGE.write_text(f"{head}{MARK}\n{described()}", "utf-8")
