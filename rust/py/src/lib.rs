//! `fenpack._native`: Arrow columns in and out of `fenpack-core`.

mod audit;
mod bits;
mod converting;
mod deduplicator;
mod diagnosis;
mod distinct;
mod errors;
mod import;
mod input;
mod inverses;
mod jobs;
mod judging;
mod keys;
mod options;
mod output;
mod reading;
mod recognition;
mod records;
mod stretches;
mod tensors;
mod threads;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("rows are counted in 64 bits, and pyarrow has no wheels for fewer");

#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::audit::Audit;
    #[pymodule_export]
    use crate::converting::{canonicalize, format, parse, repair};
    #[pymodule_export]
    use crate::deduplicator::Deduplicator;
    #[pymodule_export]
    use crate::diagnosis::{diagnose, problem_names, problem_table, tally};
    #[pymodule_export]
    use crate::distinct::{is_duplicate, unique};
    #[pymodule_export]
    use crate::input::{as_pyarrow, holds_positions};
    #[pymodule_export]
    use crate::inverses::{read_bitboards, read_planes, read_tokens};
    #[pymodule_export]
    use crate::judging::{accepts, check_positions, is_valid, survey, validate};
    #[pymodule_export]
    use crate::keys::{identity, key, zobrist};
    #[pymodule_export]
    use crate::recognition::{Decoder, decode_flags, decode_statuses, read_placements};
    #[pymodule_export]
    use crate::records::{encode_records, read_binary_fens, read_records, write_binary_fens};
    #[pymodule_export]
    use crate::tensors::{
        encode_bitboards, encode_features, encode_planes, encode_tokens, layouts,
    };
    #[pymodule_export]
    use crate::threads::{get_num_threads, instruction_sets, limit_threads, set_num_threads};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("release_build", !cfg!(debug_assertions))
    }
}
