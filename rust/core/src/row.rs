//! One row of a column, as text or as packed bytes.

use crate::position::{Malformed, Position};

/// One text in a buffer of many.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    window: &'a [u8],
    len: usize,
}

impl<'a> Row<'a> {
    /// The first `len` bytes of `window`. The rest of `window` only lets the fast paths load
    /// whole words; it never changes what is read.
    ///
    /// # Panics
    /// If `window` is shorter than `len`.
    #[inline(always)]
    pub const fn new(window: &'a [u8], len: usize) -> Self {
        assert!(len <= window.len());
        Self { window, len }
    }

    /// The text.
    #[inline(always)]
    pub fn text(self) -> &'a [u8] {
        &self.window[..self.len]
    }

    /// The text and what follows it in its buffer.
    #[inline(always)]
    pub const fn window(self) -> &'a [u8] {
        self.window
    }

    /// The length of the text.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        self.len
    }
}

impl<'a> From<&'a [u8]> for Row<'a> {
    fn from(text: &'a [u8]) -> Self {
        Self { window: text, len: text.len() }
    }
}

/// A row, or `None` for a null.
pub type MaybeRow<'a> = Option<Row<'a>>;

/// The packed bytes of a position, or `None` for a null.
pub type MaybePacked<'a> = Option<&'a [u8; Position::SIZE]>;

/// A row whose bytes are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPosition {
    /// The index of the row.
    pub row: usize,
    /// What is wrong with its bytes.
    pub reason: Malformed,
}
