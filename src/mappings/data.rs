//! The data behind the header, decompressed.

use super::{Header, Method};
use crate::codec::{self, Scratch};
use crate::wire::{Fault, FaultKind, Reader};

/// How many times longer than its stream the data may be; real ones shrink to a fifth or so.
const MAX_RATIO: u64 = 64;

/// Decompresses the data. A file without compression that is cut off gives what there is, and a fault.
pub(super) fn decompress(
    header: &Header,
    mut stored: Reader<'_>,
    scratch: &mut Scratch,
) -> Result<(Vec<u8>, Option<Fault>), Fault> {
    let at = stored.clone();
    let len = header.stored_len as usize;
    if header.method == Method::None {
        if header.stored_len != header.raw_len {
            let (found, expected) = (header.raw_len.into(), header.stored_len.into());
            return Err(at.fault("size of mappings", FaultKind::Unexpected { found, expected }));
        }
        let cut = stored.bytes("mappings", len).and_then(|_| stored.finish("mappings")).err();
        return Ok((at.rest().get(..len).unwrap_or(at.rest()).to_vec(), cut));
    }
    let stream = stored.bytes("mappings", len)?;
    stored.finish("mappings")?;
    let (found, limit) = (u64::from(header.raw_len), MAX_RATIO * stream.len() as u64);
    if found > limit {
        return Err(at.fault("size of mappings", FaultKind::TooLarge { found, limit }));
    }
    let mut data = vec![0; header.raw_len as usize];
    let ended = match header.method {
        Method::None => false,
        Method::Oodle => codec::decode(codec::Method::Oodle, stream, &mut data, scratch).is_ok(),
        Method::Zstd if !cfg!(feature = "zstd") => {
            return Err(not_built(
                &at,
                "compression method (Zstandard needs the feature zstd)",
                header.method,
            ));
        }
        Method::Zstd => codec::decode(codec::Method::Zstd, stream, &mut data, scratch).is_ok(),
        #[cfg(feature = "brotli")]
        Method::Brotli => codec::brotli::decompress(stream, &mut data),
        #[cfg(not(feature = "brotli"))]
        Method::Brotli => {
            return Err(not_built(
                &at,
                "compression method (Brotli needs the feature brotli)",
                header.method,
            ));
        }
    };
    if ended { Ok((data, None)) } else { Err(at.fault("mappings", FaultKind::BadStream { expected: found })) }
}

/// A method that was left out when this was built.
const fn not_built(at: &Reader<'_>, field: &'static str, method: Method) -> Fault {
    at.fault(field, FaultKind::Unsupported { found: method as i64 })
}
