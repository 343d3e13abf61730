//! The file behind an address, as it was when it was first read.

use super::fault;
use object_store::{GetOptions, GetResult, ObjectStore, path::Path};
use std::io;
use std::sync::{Mutex, PoisonError};

use super::Pace;

/// Entity tag of a file. Every answer has to have the tag of the first one: a table and data of two builds
/// would not fit each other.
#[derive(Debug, Default)]
pub(super) struct Edition(Mutex<Option<String>>);

impl Edition {
    /// Asks for a file, on the condition that it is still the same.
    pub(super) async fn get(
        &self,
        store: &dyn ObjectStore,
        path: &Path,
        options: GetOptions,
        pace: Pace,
    ) -> io::Result<GetResult> {
        let if_match = self.tag();
        let answer = pace.begin(store.get_opts(path, GetOptions { if_match, ..options })).await?;
        self.accept(answer.meta.e_tag.as_deref())?;
        Ok(answer)
    }

    /// Remembers the tag of the first answer, and compares those of others: servers may ignore the condition.
    pub(super) fn accept(&self, tag: Option<&str>) -> io::Result<()> {
        // A weak tag says nothing about bytes, and fits no condition.
        let Some(tag) = tag.filter(|tag| !tag.starts_with("W/")) else { return Ok(()) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(known) if known != tag => Err(fault::changed()),
            Some(_) => Ok(()),
            None => {
                *known = Some(tag.to_owned());
                Ok(())
            }
        }
    }

    /// The tag, once there was an answer with one.
    pub(super) fn tag(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_of_the_same_name_is_told() {
        let edition = Edition::default();
        for tag in [None, Some("W/\"0\""), Some("\"1\""), None, Some("\"1\"")] {
            edition.accept(tag).unwrap();
        }
        assert_eq!(edition.tag().as_deref(), Some("\"1\""));
        let problem = edition.accept(Some("\"2\"")).unwrap_err();
        assert_eq!(problem.to_string(), "the file has changed on the server since it was first read");
    }
}
