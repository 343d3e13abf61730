//! Selects the single package that a command edits.

use crate::args::EditArgs;
use crate::exit::{Exit, UsageError};
use crate::selection;
use crate::session::Session;
use crate::shared::values::is_loose;
use crate::target::Target;
use std::path::{Path, PathBuf};
use uncask::extract::{Filter, FilterSpec};
use uncask::store::{Lend, Store};
use uncask::values::PackageInputs;

/// The package to edit.
pub(crate) struct OnePackage {
    pub(crate) store: Store,
    pub(crate) inputs: PackageInputs,
    pub(crate) input: PathBuf,
}

/// Finds the package of a target; an exit code if there is none.
pub(crate) fn one_package(
    target: &Path,
    args: &EditArgs,
    session: &Session,
) -> anyhow::Result<Result<OnePackage, Exit>> {
    let (store, inputs, input) = match Target::parse(target)? {
        Target::File(file) => {
            let store = session.open_inputs(&[], &args.store(&file), Lend::Always)?;
            (store, PackageInputs::of_files(&file, |_| true), file)
        }
        Target::Chunk { input, chunk } => {
            let (store, inputs) = packages(args, session, &input, &chunk)?;
            if inputs.is_empty() {
                return Ok(Err(selection::no_such(session, &store, "package", &chunk)));
            }
            (store, inputs, input)
        }
    };
    session.warn_of_locks(&store);
    // An edit of several packages at once is surely not intended.
    if inputs.len() > 1 {
        let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
        let found = crate::printer::counted(inputs.len() as u64, "package matches", "packages match");
        let more = if inputs.len() > names.len() { ", …" } else { "" };
        return Err(UsageError(format!("{found}, expected one: {}{more}", names.join(", "))).into());
    }
    Ok(Ok(OnePackage { store, inputs, input }))
}

/// The packages that match a text, in containers or in a folder; an exports file goes with its header.
fn packages(
    args: &EditArgs,
    session: &Session,
    input: &Path,
    text: &str,
) -> anyhow::Result<(Store, PackageInputs)> {
    let filter = |names_only| {
        let patterns = vec![text.to_owned()];
        Filter::new(&FilterSpec { patterns, names_only, ..FilterSpec::default() })
    };
    let [named, below] = [filter(true)?, filter(false)?];
    let args = args.store(input);
    let (store, [named, below]) = if is_loose(input) {
        let select = |filter: &Filter| PackageInputs::of_files(input, |paths| filter.matches_paths(paths));
        (session.open_inputs(&[], &args, Lend::Always)?, [&named, &below].map(select))
    } else {
        let store = session.open(&args, Lend::Always)?;
        let select = |filter: &Filter| PackageInputs::of_store(&store, &filter.select(&store, false));
        let selected = [&named, &below].map(select);
        (store, selected)
    };
    // Exact names take precedence over packages in folders of that name.
    Ok((store, if named.is_empty() { below } else { named }))
}
