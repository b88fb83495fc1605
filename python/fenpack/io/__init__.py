"""Files: columns of text in batches, and outputs that appear whole or not at all."""

from fenpack.io.deduplicating import Deduplication, deduplicate
from fenpack.io.errors import InputError, InputWarning
from fenpack.io.scanning import scan

__all__ = ["Deduplication", "InputError", "InputWarning", "deduplicate", "scan"]
