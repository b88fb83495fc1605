//! Sorted runs, in memory up to a budget and in a file without a name beyond it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use fenpack_core::dedup::{Record, Run, SPELLED};

type Spelled = Record<SPELLED>;

/// The runs of a deduplication in the order of their rows.
pub(super) struct Runs {
    directory: PathBuf,
    budget: usize,
    held: usize,
    spilled: u64,
    file: Option<File>,
    runs: Vec<Stored>,
}

/// A run, or where in the file it begins.
enum Stored {
    Held(Run<SPELLED>),
    Spilled { offset: u64, ends: Vec<u32> },
}

impl Stored {
    fn ends(&self) -> &[u32] {
        match self {
            Self::Held(run) => run.ends(),
            Self::Spilled { ends, .. } => ends,
        }
    }

    /// The places of the records of `partitions`.
    fn places(&self, partitions: &Range<usize>) -> Range<usize> {
        let end = |partition| self.ends()[partition] as usize;
        partitions.start.checked_sub(1).map_or(0, end)..end(partitions.end - 1)
    }
}

/// The records of neighbouring partitions of one run.
pub(super) struct Loaded<'a> {
    records: Cow<'a, [Spelled]>,
    ends: &'a [u32],
    start: usize,
}

impl Loaded<'_> {
    /// The records of one of the partitions.
    pub(super) fn partition(&self, number: usize) -> &[Spelled] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.records[start - self.start..self.ends[number] as usize - self.start]
    }
}

impl Runs {
    /// No runs yet; those that do not fit in `budget` bytes will go to a file in `directory`.
    pub(super) const fn new(directory: PathBuf, budget: usize) -> Self {
        Self { directory, budget, held: 0, spilled: 0, file: None, runs: Vec::new() }
    }

    /// Where the file is, or will be.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The bytes that went to the file.
    pub(super) const fn spilled(&self) -> u64 {
        self.spilled
    }

    /// The records of all runs.
    pub(super) fn records(&self) -> usize {
        self.runs.iter().map(|run| run.ends().last().map_or(0, |&end| end as usize)).sum()
    }

    /// Adds a run, and gives its memory back if the records went to the file.
    ///
    /// # Errors
    /// If it does not fit in memory and the file cannot be made or written.
    pub(super) fn push(&mut self, run: Run<SPELLED>) -> io::Result<Option<Vec<Spelled>>> {
        let bytes: &[u8] = bytemuck::cast_slice(run.records());
        if self.held + bytes.len() <= self.budget {
            self.held += bytes.len();
            self.runs.push(Stored::Held(run));
            return Ok(None);
        }
        let file = match &mut self.file {
            Some(file) => file,
            // Without a name, it is gone with the process, however that ends.
            none => none.insert(tempfile::tempfile_in(&self.directory)?),
        };
        file.write_all(bytes)?;
        let offset = self.spilled;
        self.spilled += bytes.len() as u64;
        let (records, ends) = run.into_parts();
        self.runs.push(Stored::Spilled { offset, ends });
        Ok(Some(records))
    }

    /// The partitions in groups of neighbours whose records fit in `budget` bytes each, or that are
    /// single.
    pub(super) fn groups(&self, partitions: usize, budget: usize) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut room = 0;
        for partition in 0..partitions {
            let places = |run: &Stored| run.places(&(partition..partition + 1)).len();
            let bytes = size_of::<Spelled>() * self.runs.iter().map(places).sum::<usize>();
            match groups.last_mut() {
                Some(group) if bytes <= room => group.end += 1,
                _ => {
                    groups.push(partition..partition + 1);
                    room = budget.max(bytes);
                }
            }
            room -= bytes;
        }
        groups
    }

    /// Hands the records of `partitions` to `visit`, in the order of their rows, in as many calls as
    /// keep what is read from the file below `budget` bytes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn load(
        &self,
        partitions: &Range<usize>,
        budget: usize,
        mut visit: impl FnMut(&[Loaded<'_>]),
    ) -> io::Result<()> {
        let mut loaded = Vec::with_capacity(self.runs.len());
        let mut read = 0;
        for run in &self.runs {
            let places = run.places(partitions);
            let records = match run {
                Stored::Held(run) => Cow::Borrowed(&run.records()[places.clone()]),
                Stored::Spilled { offset, .. } => {
                    let bytes = places.len() * size_of::<Spelled>();
                    if read > 0 && read + bytes > budget {
                        visit(&loaded);
                        loaded.clear();
                        read = 0;
                    }
                    read += bytes;
                    let at = offset + (places.start * size_of::<Spelled>()) as u64;
                    Cow::Owned(self.read(at, places.len())?)
                }
            };
            loaded.push(Loaded { records, ends: run.ends(), start: places.start });
        }
        visit(&loaded);
        Ok(())
    }

    fn read(&self, at: u64, count: usize) -> io::Result<Vec<Spelled>> {
        let mut records = vec![Spelled::zeroed(); count];
        if let Some(file) = &self.file {
            read_exact_at(file, bytemuck::cast_slice_mut(&mut records), at)?;
        }
        Ok(records)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}
