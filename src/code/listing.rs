//! Documents of listings, as `CodeForm::Listing` writes them, read back.
//!
//! ```text
//! ; package /Game/Blueprints/BP_Door
//!
//! ; function BP_Door_C.Open, export 2, 18 bytes in memory
//! 0000 LocalFinalFunction "BP_Door_C.ExecuteUbergraph_BP_Door"
//! …
//! ```

use std::fmt::Write as _;

/// Comment before everything else.
const PACKAGE: &str = "; package ";
/// Comment before each function.
const FUNCTION: &str = "; function ";
/// Text between the path of a function and what is only said for people.
const EXPORT: &str = ", export ";

/// Listings of functions of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingDocument {
    /// The package.
    pub package: String,
    /// Paths of functions in it, and their listings.
    pub functions: Vec<(String, String)>,
}

/// Errors of documents of listings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListingDocumentError {
    /// The document names no package.
    #[error("no line \"; package …\" before the first function")]
    NoPackage,
    /// A line belongs to no function.
    #[error("line {line} belongs to no function: expected \"; function …\" before it")]
    NoFunction {
        /// Number of the line, counted from 1.
        line: usize,
    },
    /// There are no functions.
    #[error("no line \"; function …\"")]
    Empty,
}

impl ListingDocument {
    /// Reads a document.
    pub fn parse(text: &str) -> Result<Self, ListingDocumentError> {
        let mut this = Self { package: String::new(), functions: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(package) = line.strip_prefix(PACKAGE) {
                package.trim_end().clone_into(&mut this.package);
            } else if let Some(function) = line.strip_prefix(FUNCTION) {
                let path = function.rsplit_once(EXPORT).map_or(function, |(path, _)| path).trim_end();
                this.functions.push((path.to_owned(), String::new()));
            } else if let Some((_, listing)) = this.functions.last_mut() {
                listing.push_str(line);
                listing.push('\n');
            } else if !line.trim().is_empty() && !line.starts_with(';') {
                return Err(ListingDocumentError::NoFunction { line: number });
            }
        }
        match (this.package.is_empty(), this.functions.is_empty()) {
            (_, true) => Err(ListingDocumentError::Empty),
            (true, _) => Err(ListingDocumentError::NoPackage),
            _ => Ok(this),
        }
    }
}

/// Writes the comment before everything else.
pub(super) fn write_package(text: &mut String, package: &str) {
    let _ = writeln!(text, "{PACKAGE}{package}");
}

/// Writes the comment before a function.
pub(super) fn write_function(text: &mut String, path: &str, export: u32, memory_len: u32) {
    let _ = writeln!(text, "\n{FUNCTION}{path}{EXPORT}{export}, {memory_len} bytes in memory");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_back_function_by_function() {
        let mut text = String::new();
        write_package(&mut text, "/Game/BP");
        write_function(&mut text, "BP_C.Open, export it", 2, 18);
        text.push_str("000F Return\n0010   Nothing\n0011 EndOfScript\n");
        write_function(&mut text, "BP_C.Shut", 3, 1);
        text.push_str("0000 EndOfScript\n");
        let read = ListingDocument::parse(&text).unwrap();
        assert_eq!(read.package, "/Game/BP");
        assert_eq!(read.functions[0].0, "BP_C.Open, export it");
        assert_eq!(read.functions[0].1, "000F Return\n0010   Nothing\n0011 EndOfScript\n\n");
        assert_eq!(read.functions[1], ("BP_C.Shut".to_owned(), "0000 EndOfScript\n".to_owned()));
        assert_eq!(ListingDocument::parse("; package /Game/BP\n"), Err(ListingDocumentError::Empty));
        assert_eq!(ListingDocument::parse("; function A, export 1\n"), Err(ListingDocumentError::NoPackage));
        assert_eq!(
            ListingDocument::parse("; package /Game/BP\n0000 EndOfScript\n"),
            Err(ListingDocumentError::NoFunction { line: 2 })
        );
    }
}
