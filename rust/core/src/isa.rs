//! The instruction sets a row loop can be compiled for, chosen at run time.

#[cfg(target_arch = "x86_64")]
use crate::parse::placement::{Avx2, Avx512};
use crate::parse::placement::{Portable, Task};

/// An instruction set that this program has fast paths for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Plain Rust for any machine.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    Avx2,
    /// x86-64 with AVX-512 BW, VL, VBMI and VBMI2.
    Avx512,
}

impl Level {
    /// Every level that this machine can run, the fastest first.
    pub fn available() -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        let fast = [Avx512::detect().map(|_| Level::Avx512), Avx2::detect().map(|_| Level::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let fast = [None];
        fast.into_iter().flatten().chain([Level::Portable]).collect()
    }

    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// Runs `task` compiled for `level`, or for the portable one where the machine lacks it.
pub fn dispatch<T: Task>(level: Level, task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    match level {
        Level::Avx512 => {
            if let Some(placement) = Avx512::detect() {
                return placement.dispatch(task);
            }
        }
        Level::Avx2 => {
            if let Some(placement) = Avx2::detect() {
                return placement.dispatch(task);
            }
        }
        Level::Portable => {}
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    task.run(Portable)
}
