//! Parsers of argument values.

use uncask::id::ChunkKind;
use uncask::version::TocVersion;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

/// Parses `65536`, `64K`, `64KiB`, `2G`, …: units are powers of 1024.
pub(super) fn parse_size(text: &str) -> Result<Size, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("expected a number, optionally with K, M, G or T".to_owned()),
    };
    let number: u64 =
        number.parse().map_err(|_| "expected a number, optionally with K, M, G or T".to_owned())?;
    number.checked_mul(1 << shift).map(Size).ok_or_else(|| "too large".to_owned())
}

/// Least memory, so that a size without its unit is noticed.
const LEAST_MEMORY: u64 = 1 << 10;

pub(super) fn parse_memory(text: &str) -> Result<Size, String> {
    let size = parse_size(text)?;
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

    #[test]
    fn sizes() {
        assert_eq!(parse_size("65536"), Ok(Size(65536)));
        assert_eq!(parse_size("64K"), Ok(Size(65536)));
        assert_eq!(parse_size("2 GiB"), Ok(Size(2 << 30)));
        for bad in ["", "K", "12X", "99999999T"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
