//! Positional arguments, which people give in more orders than clap knows: containers are inputs in any position.

use super::inputs::{holds_containers, is_input};
use super::{SelectArgs, StoreArgs};
use crate::exit::UsageError;
use crate::target::Target;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Positional arguments of a command, which people give in more orders than clap knows. Each command has to say what it
/// takes: one that is forgotten does not compile.
pub(crate) trait Positional {
    /// Moves arguments to their places. Returns notes on ambiguous ones.
    fn sort(&mut self) -> Result<Vec<String>, UsageError>;
}

/// Commands that take inputs and patterns: a shell may make several inputs of `Paks/*.utoc`.
macro_rules! inputs_and_patterns {
    ($($args:ty),+) => {
        $(impl $crate::args::Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, $crate::exit::UsageError> {
                Ok($crate::args::positional::sort(&mut self.store, &mut self.select))
            }
        })+
    };
}

/// Commands that take inputs only.
macro_rules! inputs_only {
    ($($args:ty),+) => {
        $(impl $crate::args::Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, $crate::exit::UsageError> {
                self.store.more_inputs.splice(0..0, self.inputs.drain(..)).for_each(drop);
                Ok(Vec::new())
            }
        })+
    };
}

/// Commands whose arguments have one order.
macro_rules! in_order {
    ($($args:ty),+) => {
        $(impl $crate::args::Positional for $args {
            fn sort(&mut self) -> Result<Vec<String>, $crate::exit::UsageError> {
                Ok(Vec::new())
            }
        })+
    };
}

pub(super) use {in_order, inputs_and_patterns, inputs_only};

/// Moves containers from the patterns to the inputs. A first argument that is no input is a pattern, or
/// `INPUT:PATTERN`.
pub(super) fn sort(store: &mut StoreArgs, select: &mut SelectArgs) -> Vec<String> {
    if let Some(pattern) = split(&mut store.input) {
        select.patterns.insert(0, pattern);
    }
    // What is surely an input is taken out of the patterns; doubtful arguments stay, with a note.
    let patterns = std::mem::take(&mut select.patterns);
    let (inputs, patterns): (Vec<String>, Vec<String>) =
        patterns.into_iter().partition(|text| is_input(Path::new(text)));
    let mut inputs: Vec<PathBuf> = inputs.into_iter().map(PathBuf::from).collect();
    select.patterns = patterns;
    // `uncask list "*.umap" Paks/a.utoc`: the first argument is no file, but a later one is.
    let misplaced = !is_input(&store.input) && !store.input.exists() && !inputs.is_empty();
    if let Some(pattern) = store.input.to_str().filter(|_| misplaced) {
        select.patterns.insert(0, pattern.to_owned());
        store.input = inputs.remove(0);
    }
    // Positional inputs come before those of `-i`, as on the command line.
    store.more_inputs.splice(0..0, inputs);
    select.patterns.iter().filter(|text| holds_containers(Path::new(text))).map(|text| note(text)).collect()
}

fn note(pattern: &str) -> String {
    format!("{pattern:?} is used as a pattern; -i {pattern:?} opens the folder")
}

/// Swaps chunk and container if they are in the wrong order, or splits them at a colon.
pub(super) fn one_chunk(input: &mut PathBuf, chunk: &mut Option<String>) {
    let Some(chunk) = chunk else {
        *chunk = split(input);
        return;
    };
    let misplaced = is_input(Path::new(chunk)) && !is_input(input) && !input.exists();
    if let Some(name) = input.to_str().filter(|_| misplaced).map(str::to_owned) {
        *input = PathBuf::from(std::mem::replace(chunk, name));
    }
}

/// Splits the chunk off an `INPUT:CHUNK`; `None` if the input stands alone.
pub(super) fn split(input: &mut PathBuf) -> Option<String> {
    let Ok(Target::Chunk { input: container, chunk }) = Target::parse(input) else { return None };
    *input = container;
    Some(chunk)
}

/// Appends a colon and a chunk to an input.
pub(super) fn join(input: &mut PathBuf, chunk: &OsStr) {
    let mut joined = std::mem::take(input).into_os_string();
    joined.push(":");
    joined.push(chunk);
    *input = joined.into();
}

/// True for inputs with several packages, false for a package file.
pub(super) fn holds_packages(input: &Path) -> bool {
    input.is_dir() || is_input(input)
}

/// Checks that no third build is given.
pub(super) fn two(patterns: &[String]) -> Result<(), UsageError> {
    match patterns.iter().find(|text| is_input(Path::new(text))) {
        Some(third) => {
            let problem = "diff compares two inputs, found a third; give two folders or two containers";
            Err(UsageError(format!("{problem}: {third}")))
        }
        None => Ok(()),
    }
}
