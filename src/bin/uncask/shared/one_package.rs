//! Selects the single package that a command edits.

use crate::args::EditArgs;
use crate::exit::{Exit, UsageError};
use crate::selection;
use crate::session::Session;
use crate::shared::values::is_loose;
use crate::target::Target;
use std::path::{Path, PathBuf};
use uncask::game::{Filter, FilterSpec, Game, Lend, PackageInputs};

/// The package to edit.
pub(crate) struct OnePackage {
    pub(crate) game: Game,
    pub(crate) inputs: PackageInputs,
    pub(crate) input: PathBuf,
}

/// Finds the package of a target; an exit code if there is none.
pub(crate) fn one_package(
    target: &Path,
    args: &EditArgs,
    session: &Session,
) -> anyhow::Result<Result<OnePackage, Exit>> {
    let (game, inputs, input) = match Target::parse(target)? {
        Target::File(file) => {
            let game = session.open_inputs(&[], &args.store(&file), Lend::Always)?;
            (game, PackageInputs::of_files(&file, |_| true), file)
        }
        Target::Chunk { input, chunk } => {
            let (game, inputs) = packages(args, session, &input, &chunk)?;
            if inputs.is_empty() {
                return Ok(Err(selection::no_such(session, &game, "package", &chunk)));
            }
            (game, inputs, input)
        }
    };
    session.warn_of_locks(&game);
    // An edit of several packages at once is surely not intended.
    if inputs.len() > 1 {
        let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
        let found = crate::printer::counted(inputs.len() as u64, "package matches", "packages match");
        let more = if inputs.len() > names.len() { ", …" } else { "" };
        return Err(UsageError(format!("{found}, expected one: {}{more}", names.join(", "))).into());
    }
    Ok(Ok(OnePackage { game, inputs, input }))
}

/// The packages that match a text, in containers or in a folder; an exports file goes with its header.
fn packages(
    args: &EditArgs,
    session: &Session,
    input: &Path,
    text: &str,
) -> anyhow::Result<(Game, PackageInputs)> {
    let filter = |names_only| {
        let patterns = vec![text.to_owned()];
        Filter::new(&FilterSpec { patterns, names_only, ..FilterSpec::default() })
    };
    let [named, below] = [filter(true)?, filter(false)?];
    let args = args.store(input);
    let (game, [named, below]) = if is_loose(input) {
        let select = |filter: &Filter| PackageInputs::of_files(input, |paths| filter.matches_paths(paths));
        (session.open_inputs(&[], &args, Lend::Always)?, [&named, &below].map(select))
    } else {
        let game = session.open(&args, Lend::Always)?;
        let select = |filter: &Filter| game.package_inputs(&game.select(filter, false));
        let selected = [&named, &below].map(select);
        (game, selected)
    };
    // Exact names take precedence over packages in folders of that name.
    Ok((game, if named.is_empty() { below } else { named }))
}
