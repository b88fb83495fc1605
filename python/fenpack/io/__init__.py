"""Files: columns of text in batches, and outputs that appear whole or not at all."""

from fenpack.io.deduplicating import Deduplication, deduplicate
from fenpack.io.errors import InputError, InputWarning
from fenpack.io.opening import open_inputs, open_source
from fenpack.io.paths import Input, find_inputs
from fenpack.io.scanning import scan
from fenpack.io.source import Source
from fenpack.io.writing import as_text, atomic_output, can_write, open_writer

__all__ = [
    "Deduplication",
    "Input",
    "InputError",
    "InputWarning",
    "Source",
    "as_text",
    "atomic_output",
    "can_write",
    "deduplicate",
    "find_inputs",
    "open_inputs",
    "open_source",
    "open_writer",
    "scan",
]
