"""What is public has a place on the page of its module and a docstring in the form of numpydoc."""

from __future__ import annotations

import doctest
import enum
import importlib
import inspect
import re
from dataclasses import is_dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fenpack as fp

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(fp.__file__).parent
API = Path(__file__).parents[1] / "docs" / "api"
EXAMPLES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
#: Modules of extras, and what they need.
EXTRAS = {
    "fenpack.spark": "pyspark",
    "fenpack.ray": "ray",
    "fenpack.torch": "torch",
    "fenpack.polars": "polars",
    "fenpack.duckdb": "duckdb",
}
#: The page of each public module.
MODULES = {
    found[1]: page
    for page in sorted(API.glob("*.md"))
    if (found := re.search(r"^\.\. module:: (\S+)$", page.read_text("utf-8"), re.MULTILINE))
}
#: Checks of numpydoc that are not made.
LEFT_OUT = {
    "GL01",  # the text begins on the line of the quotes, as everywhere in this package
    "GL02",  # and a docstring of one line ends there
    "ES01",  # one sentence can be enough
    "SA01",  # what belongs together stands together on the page
}


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples(module: str) -> None:
    if needed := EXTRAS.get(module):
        pytest.importorskip(needed)
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted
    assert not results.failed


def test_every_public_module_is_on_the_list() -> None:
    listed = re.findall(r"^\| \[(\S+)\]\((\S+)\)", (API / "README.md").read_text("utf-8"), re.M)
    assert {module: page.name for module, page in MODULES.items()} == dict(listed)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_on_its_page(module: str) -> None:
    if needed := EXTRAS.get(module):
        pytest.importorskip(needed)
    text = MODULES[module].read_text("utf-8")
    shown = re.findall(r"^\.\. auto(?:function|class|exception|data):: (\S+)$", text, re.MULTILINE)
    assert sorted(shown) == sorted(f"{module}.{name}" for name in _loaded(module).__all__)


def _loaded(module: str) -> Any:
    return importlib.import_module(module)


def public() -> Iterator[str]:
    """Give every public name: modules, what they have, and the members of classes."""
    for module in MODULES:
        if find_spec(EXTRAS.get(module, "fenpack")) is None:
            continue
        yield module
        for name in _loaded(module).__all__:
            yield f"{module}.{name}"
            value = getattr(_loaded(module), name)
            for member, what in vars(value).items() if inspect.isclass(value) else ():
                described = isinstance(what, property | classmethod | staticmethod)
                if not member.startswith("_") and (described or inspect.isfunction(what)):
                    yield f"{module}.{name}.{member}"


@pytest.mark.parametrize("name", list(public()))
def test_docstring(name: str) -> None:
    validate = pytest.importorskip("numpydoc.validate").validate
    if name in MODULES:
        assert re.match(r"[A-Z].*\.", _loaded(name).__doc__)
        return
    module = max((module for module in MODULES if name.startswith(f"{module}.")), key=len)
    attributes = name.removeprefix(f"{module}.").split(".")
    value = _loaded(module)
    for attribute in attributes:
        value = getattr(value, attribute)
    if not (callable(value) or isinstance(value, property)):
        assert _attribute_docs(module, attributes[-1], value)
        return
    left_out = set(LEFT_OUT)
    if module in ("fenpack.ray", "fenpack.spark"):
        left_out.add("EX01")  # an example needs an engine that runs: docs/ray.md, docs/spark.md
    if len(attributes) > 1 or isinstance(value, enum.EnumType):
        left_out.add("EX01")  # a class has the examples of its members; a table needs none
    if inspect.isclass(value) and issubclass(value, Exception):
        left_out |= {"EX01", "PR01"}  # nobody makes one
    if isinstance(value, enum.EnumType):
        left_out.add("PR01")  # those of enum
    if is_dataclass(value) or hasattr(value, "_fields"):
        documented = value.__doc__ or ""
        if "Attributes\n" in documented:
            # Results: their fields are attributes, their example is that of what gives them.
            left_out |= {"EX01", "PR01"}
            fields = getattr(value, "_fields", None) or value.__dataclass_fields__
            missing = [field for field in fields if not re.search(rf"\b{field}\b", documented)]
            assert not missing
    errors = [error for error in validate(name)["errors"] if error[0] not in left_out]
    assert not errors


def _attribute_docs(module: str, attribute: str, value: Any) -> list[str]:
    """Give the docstring that stands below an attribute in the module that defines it."""
    analyzer = pytest.importorskip("sphinx.pycode").ModuleAnalyzer
    if attribute == "__version__":
        return [_loaded(module).__version__]
    for path in PACKAGE.rglob("*.py"):
        if f"\n{attribute}" not in path.read_text("utf-8"):
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        docs = analyzer.for_file(path, name).find_attr_docs()
        if ("", attribute) in docs and getattr(_loaded(name), attribute) is value:
            return docs["", attribute]
    return []
