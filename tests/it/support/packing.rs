//! Packing, run to its end on this thread.

use super::block_on;
use std::path::Path;
use std::sync::Arc;
use uncask::error::Result;
use uncask::job::{Budget, Context, Cpu};
use uncask::pack::{self, BaseGame, PackOptions, Packed, ToZenInput, Zenned};

/// More memory than any test needs.
fn context(cpu: &Cpu) -> Context {
    Context::new(cpu.clone(), Budget::new(64 << 20), true)
}

pub(crate) fn pack(folder: &Path, toc: &Path, options: &PackOptions, cpu: &Cpu) -> Result<Packed> {
    block_on(pack::pack(folder, toc, options, &context(cpu)))
}

pub(crate) fn pack_pak(folder: &Path, pak: &Path, options: &PackOptions, cpu: &Cpu) -> Result<Packed> {
    block_on(pack::pack_pak(folder, pak, options, &context(cpu)))
}

pub(crate) fn to_zen(
    inputs: &[ToZenInput],
    toc: &Path,
    options: &PackOptions,
    game: Option<Arc<BaseGame>>,
    limit: u64,
    cpu: &Cpu,
) -> Result<Zenned> {
    block_on(pack::to_zen(inputs, toc, options, game, limit, &context(cpu)))
}
