"""How the site is built: ``sphinx-build -W --keep-going -n -b html docs build/docs``."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.pycode import ModuleAnalyzer, PycodeError
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "fenpack"
author = "the fenpack authors"
project_copyright = author
release = metadata.version("fenpack")

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_parser"]
exclude_patterns = ["_static"]
nitpicky = True

myst_heading_anchors = 4

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
# The site is built without the extras; their modules are documented all the same.
autodoc_mock_imports = [
    name for name in ("duckdb", "polars", "pyspark", "ray", "torch") if find_spec(name) is None
]
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"fenpack {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


class LinkNames(SphinxPostTransform):
    """Let a public name in ``code`` lead to its documentation."""

    default_priority = 20

    def run(self, **kwargs: Any) -> None:
        """Wrap every literal that is a public name, or a call of one."""
        for literal in list(self.document.findall(nodes.literal)):
            if isinstance(literal.parent, nodes.reference | nodes.title):
                continue
            if found := self._documented(literal):
                here, builder = self.env.docname, self.app.builder
                uri = f"{builder.get_relative_uri(here, found.docname)}#{found.node_id}"
                target = nodes.reference("", "", internal=True, refuri=uri)
                literal.replace_self(target)
                target += literal

    def _documented(self, literal: nodes.literal) -> Any:
        """Find what a literal names: in full, or on a page of a module what the module has."""
        name = re.sub(r"\(.*\)$", "", literal.astext(), flags=re.DOTALL)
        objects = self.env.domains.python_domain.objects
        folder, _, page = self.env.docname.rpartition("/")
        if folder != "api":
            return objects.get(re.sub(r"^fp\.", "fenpack.", name))
        node: Any = literal
        while node is not None and not isinstance(node, addnodes.desc):
            node = node.parent
        if node is not None:
            parameters = node[0].findall(addnodes.desc_parameter)
            if name in {part.astext().partition("=")[0].lstrip("*") for part in parameters}:
                return None
        module = "fenpack" if page == "fenpack" else f"fenpack.{page}"
        return (
            objects.get(name) or objects.get(f"{module}.{name}") or objects.get(f"fenpack.{name}")
        )


def describe_data(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Give data that another module defines the docstring that stands there."""
    package, _, attribute = name.rpartition(".")
    if what != "data":
        return
    for module in [name for name in sys.modules if f"{name}.".startswith(f"{package}.")]:
        if getattr(sys.modules[module], attribute, None) is value:
            try:
                found = ModuleAnalyzer.for_module(module).find_attr_docs()
            except PycodeError:
                continue
            if ("", attribute) in found:
                lines[:] = found["", attribute]
                return


def check_that_nothing_is_loaded(app: Sphinx, error: Exception | None) -> None:
    """Fail if a page of the site loads anything from elsewhere."""
    if error is not None or app.builder.format != "html":
        return
    loads = re.compile(
        r"""(?:<(?:script|img|iframe|source|audio|video|embed|object|use|image)\b[^>]*?\b(?:src|href|data|srcset)="""
        r"""|<link\b[^>]*?\bhref=|url\(|@import\s)\s*["']?\s*(?:https?:)?//[^"')\s>]+""",
        re.IGNORECASE,
    )
    for file in Path(app.outdir).rglob("*"):
        readable = file.suffix in (".html", ".css", ".svg")
        if readable and (found := loads.search(file.read_text("utf-8"))):
            raise ExtensionError(f"{file.relative_to(app.outdir)} loads {found[0]}")


def setup(app: Sphinx) -> None:
    """Add what is above."""
    app.add_post_transform(LinkNames)
    app.connect("autodoc-process-docstring", describe_data, priority=400)
    app.connect("build-finished", check_that_nothing_is_loaded)
