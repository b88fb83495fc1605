//! Errors of the libraries below as Python exceptions.

use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An Arrow error as Python's ValueError.
pub(crate) fn invalid(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
