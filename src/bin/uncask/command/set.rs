//! `uncask set`: values of a package changed by their addresses.

use super::edit;
use super::values::is_loose;
use crate::args::{EditArgs, SetArgs};
use crate::exit::{Exit, UsageError};
use crate::selection;
use crate::session::Session;
use crate::target::Target;
use std::path::{Path, PathBuf};
use uncask::extract::{Filter, FilterSpec};
use uncask::property::edit::Address;
use uncask::store::Store;
use uncask::values::PackageInputs;
use uncask::values::edit::Wanted;

pub(crate) fn run(args: &SetArgs, session: &Session) -> anyhow::Result<Exit> {
    let values = pairs(&args.values)?;
    let output = edit::output(&args.edit)?;
    let OnePackage { store, inputs, input } = match one_package(&args.target, &args.edit, session)? {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    let job = edit::Job { args: &args.edit, schema: "uncask.set/1", store: &store, output };
    let editing = job.editing(session, inputs, &input)?;
    job.run(session, &editing, &[(0, Wanted::Values(values))])
}

/// A package that is to be changed.
pub(super) struct OnePackage {
    pub(super) store: Store,
    pub(super) inputs: PackageInputs,
    pub(super) input: PathBuf,
}

/// The package that a text means; an exit if there is none.
pub(super) fn one_package(
    target: &Path,
    args: &EditArgs,
    session: &Session,
) -> anyhow::Result<Result<OnePackage, Exit>> {
    let (store, inputs, input) = match Target::parse(target)? {
        Target::File(file) => {
            let store = session.open_inputs_importing(&[], &args.store(&file))?;
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
    if inputs.len() > 1 {
        let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
        let found = crate::printer::counted(inputs.len() as u64, "package matches", "packages match");
        let more = if inputs.len() > names.len() { ", …" } else { "" };
        return Err(UsageError(format!("{found}, expected one: {}{more}", names.join(", "))).into());
    }
    Ok(Ok(OnePackage { store, inputs, input }))
}

/// The packages that a text means, in containers or in a folder; a file of exports goes with its header.
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
        (session.open_inputs_importing(&[], &args)?, [&named, &below].map(select))
    } else {
        let store = session.open_importing(&args)?;
        let select = |filter: &Filter| PackageInputs::of_store(&store, &filter.select(&store, false));
        let selected = [&named, &below].map(select);
        (store, selected)
    };
    Ok((store, if named.is_empty() { below } else { named }))
}

/// Addresses and values.
fn pairs(texts: &[String]) -> anyhow::Result<Vec<(Address, String)>> {
    let (pairs, rest) = texts.as_chunks::<2>();
    if let [address] = rest {
        return Err(UsageError(format!("{address} has no value after it")).into());
    }
    let pair = |[address, value]: &[String; 2]| {
        let address = address
            .parse()
            .map_err(|error: uncask::property::edit::EditError| UsageError(error.to_string()))?;
        Ok((address, value.clone()))
    };
    pairs.iter().map(pair).collect()
}
