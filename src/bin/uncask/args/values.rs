//! Parsers of argument values.

use uncask::id::ChunkKind;
use uncask::version::TocVersion;
use uncask::wire::{Size, SizeError};

/// Least memory, so that a size without its unit is noticed.
const LEAST_MEMORY: u64 = 1 << 10;

pub(super) fn parse_memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse().map_err(|error: SizeError| error.to_string())?;
    if size.0 < LEAST_MEMORY {
        return Err(format!("{text} bytes are not enough; expected a size such as 64M or 1G"));
    }
    Ok(size)
}

pub(super) fn parse_toc_version(text: &str) -> Result<TocVersion, String> {
    let number: u8 = text.parse().map_err(|_| "expected a number from 1 to 10".to_owned())?;
    TocVersion::from_wire(number).map_err(|unknown| unknown.to_string())
}

pub(super) fn parse_kind(text: &str) -> Result<ChunkKind, String> {
    // `Invalid` stands for chunk types without a meaning, so no chunk can be selected by it.
    let known = |kind: &ChunkKind| *kind != ChunkKind::Invalid;
    ChunkKind::from_name(text).filter(known).ok_or_else(|| {
        let names: Vec<&str> = ChunkKind::all().filter(known).map(ChunkKind::name).collect();
        format!("known types: {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_a_unit() {
        assert_eq!(parse_memory("1K"), Ok(Size(1024)));
        assert!(parse_memory("64").unwrap_err().contains("such as 64M"));
    }
}
