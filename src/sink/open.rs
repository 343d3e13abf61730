#[cfg(feature = "remote")]
use super::BucketSink;
use super::{DirectorySink, Sink};
use crate::error::Result;
use crate::source::is_url;
use std::path::Path;
use std::sync::Arc;

/// Opens a folder to write to: one on disk, whose files are marked so that a later job sees which of them were changed, or
/// one of a bucket (`s3://bucket/folder`).
pub fn open_output(folder: &Path) -> Result<Arc<dyn Sink>> {
    if is_url(folder) { open_bucket(folder) } else { Ok(Arc::new(DirectorySink::open(folder)?.marking())) }
}

#[cfg(feature = "remote")]
fn open_bucket(folder: &Path) -> Result<Arc<dyn Sink>> {
    Ok(Arc::new(BucketSink::open(folder)?))
}

#[cfg(not(feature = "remote"))]
fn open_bucket(folder: &Path) -> Result<Arc<dyn Sink>> {
    let problem = crate::source::AddressProblem::NoNetwork;
    let source = std::io::Error::new(std::io::ErrorKind::Unsupported, problem);
    Err(crate::error::Error::io("open", folder)(source))
}
