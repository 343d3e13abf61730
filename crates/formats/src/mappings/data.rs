//! The data after the header, decompressed.

use super::{Header, Method};
use crate::codec::{self, Scratch};
use crate::wire::{Fault, FaultKind, Reader};

/// Limit on the ratio of data to stream length: real files stay below four.
const MAX_RATIO: u64 = 12;
/// Data up to this length is always decompressed.
const SMALL: u64 = 1 << 20;

/// Data of a file.
pub(super) struct Data {
    pub(super) bytes: Vec<u8>,
    /// Set if the file ends before the recorded length; its content may be complete nevertheless.
    pub(super) cut: Option<Fault>,
}

/// Decompresses the data. Only truncated uncompressed files yield incomplete data.
pub(super) fn decompress(
    header: &Header,
    mut stored: Reader<'_>,
    scratch: &mut Scratch,
) -> Result<Data, Fault> {
    let at = stored.clone();
    let len = header.stored_len as usize;
    // Without compression both lengths describe the same bytes.
    if header.method == Method::None {
        if header.stored_len != header.raw_len {
            let (found, expected) = (header.raw_len.into(), header.stored_len.into());
            return Err(at.fault("size of mappings", FaultKind::Unexpected { found, expected }));
        }
        let cut = stored.bytes("mappings", len).err();
        if cut.is_none() {
            stored.finish("mappings")?;
        }
        return Ok(Data { bytes: at.rest().get(..len).unwrap_or(at.rest()).to_vec(), cut });
    }
    let stream = stored.bytes("mappings", len)?;
    stored.finish("mappings")?;
    // The recorded length is only believed within a ratio, since it decides an allocation.
    let (found, limit) = (u64::from(header.raw_len), (MAX_RATIO * stream.len() as u64).max(SMALL));
    if found > limit {
        return Err(at.fault("size of mappings", FaultKind::TooLarge { found, limit }));
    }
    let mut bytes = vec![0; header.raw_len as usize];
    let ended = match header.method {
        Method::None => false,
        Method::Oodle => codec::decode(codec::Method::Oodle, stream, &mut bytes, scratch).is_ok(),
        Method::Zstd => codec::decode(codec::Method::Zstd, stream, &mut bytes, scratch).is_ok(),
        #[cfg(feature = "brotli")]
        Method::Brotli => codec::brotli::decompress(stream, &mut bytes),
        #[cfg(not(feature = "brotli"))]
        Method::Brotli => {
            let field = "compression method (Brotli needs the feature brotli)";
            return Err(at.fault(field, FaultKind::Unsupported { found: header.method as i64 }));
        }
    };
    if !ended {
        return Err(at.fault("mappings", FaultKind::BadStream { expected: found }));
    }
    Ok(Data { bytes, cut: None })
}
