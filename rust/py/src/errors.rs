//! Errors of the libraries below as Python exceptions.

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

/// An Arrow error as Python's ValueError.
pub(crate) fn invalid(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An import's bare error as a ValueError that names the argument.
pub(crate) fn unusable(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    if error.get_type(py).is(py.get_type::<PyException>()) {
        PyValueError::new_err(format!("{name} cannot be imported: {}", error.value(py)))
    } else {
        error
    }
}
