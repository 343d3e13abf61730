//! `uncask merge`: makes one mod of several.

use crate::args::MergeArgs;
use crate::exit::{Exit, UsageError};
use crate::keys;
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::original;
use crate::shared::packed::{note_place, refused, warn};
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{
    Edited, Game, JoinError, Lend, MergeError, MergeOptions, Merged, PackOptions, SharedVerdict, Unmerged,
    UnmergedReason,
};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    dry_run: bool,
    output: Option<String>,
    /// Packages that were put together.
    packages: Vec<MergedRow<'r>>,
    /// Localization files that were put together.
    texts: &'r [String],
    /// Packages and files that were left out, or, if nothing was written, that cannot be merged.
    unmerged: &'r [Unmerged],
    chunks: Option<u64>,
}

#[derive(Serialize)]
struct MergedRow<'r> {
    path: &'r str,
    changes: Vec<ChangeRow<'r>>,
}

#[derive(Serialize)]
struct ChangeRow<'r> {
    address: &'r str,
    from: Option<&'r str>,
    to: Option<&'r str>,
}

pub(crate) fn run(args: &MergeArgs, session: &Session) -> anyhow::Result<Exit> {
    let prefer = prefer(args)?;
    let open = |path: &Path| session.open(&args.store(path), Lend::Always);
    let mods = args.mods.iter().map(|path| open(path)).collect::<anyhow::Result<Vec<Game>>>()?;
    let game = open(&args.game)?;
    for opened in mods.iter().chain([&game]) {
        session.warn_of_locks(opened);
    }
    let first = args.mods.first().map_or(Path::new(""), |path| path.as_path());
    let packing = original::packing_like(first, &args.aes_key, args.reading.engine, session)?;
    let packing = PackOptions { replace: args.overwrite, force: args.force, ..packing };
    let values = values::options(&args.reading, &args.game, session)?;
    let options = MergeOptions { prefer, values, packing };
    let (making, progress) = session.making("files");
    let making = making.keys(keys::collect(&args.aes_key, &session.printer)?);
    let output = args.output.as_deref().filter(|_| !args.dry_run);
    let merged = session.make(|| making.merge((&args.mods, &mods), &game, output, &options));
    progress.finish();
    let near = (&args.reading, args.game.as_path());
    match merged {
        Ok(merged) => {
            let read = values::report_outcomes(session, &merged.shared.outcomes, &game, near);
            report(args, &merged, session).map(|exit| if exit == Exit::Ok { read } else { exit })
        }
        Err(MergeError::Unmerged(unmerged, shared)) => {
            values::report_outcomes(session, &shared.outcomes, &game, near);
            refuse(args, &unmerged, session)
        }
        Err(
            MergeError::Io(Error::Refused { reasons })
            | MergeError::Join(JoinError::Io(Error::Refused { reasons })),
        ) => Ok(refused(&reasons, session)),
        Err(MergeError::Io(error) | MergeError::Join(JoinError::Io(error))) => Err(error.into()),
        Err(error) => {
            session.printer.error(&error.to_string());
            session.printer.hint(Some("--prefer takes the package of one mod as a whole"));
            Ok(Exit::Failed)
        }
    }
}

/// Position of the mod that is preferred.
fn prefer(args: &MergeArgs) -> anyhow::Result<Option<usize>> {
    let Some(wanted) = &args.prefer else { return Ok(None) };
    let is_it = |path: &std::path::PathBuf| path == wanted || path.file_name() == Some(wanted.as_os_str());
    let found = args.mods.iter().position(is_it);
    let none = || UsageError(format!("--prefer is none of the mods: {}", wanted.display()));
    Ok(Some(found.ok_or_else(none)?))
}

fn refuse(args: &MergeArgs, unmerged: &[Unmerged], session: &Session) -> anyhow::Result<Exit> {
    if session.printer.json {
        print_json(args, (&[], &[]), unmerged, None)?;
    }
    for item in unmerged {
        session.printer.error(&sentence(item));
    }
    session.printer.note("nothing was written; --prefer MOD takes what one of them has");
    Ok(Exit::Failed)
}

/// Places that are listed of a package.
const LISTED: usize = 10;

/// Sentence such as `in conflict: Default__Sword_C.Damage: /Game/Items/Sword`.
fn sentence(item: &Unmerged) -> String {
    let why = match item.reason {
        UnmergedReason::Conflict => "in conflict",
        UnmergedReason::SameProperty => {
            "several change it, and one removes elements or two add different ones"
        }
        UnmergedReason::SameFunction => "code of one function, changed by several",
        UnmergedReason::NotValues => "no value that could be set",
        UnmergedReason::TooMany => "more changes than can be compared",
    };
    let mut places: Vec<String> = item.places.iter().take(LISTED).cloned().collect();
    if let Some(more) = item.places.len().checked_sub(LISTED + 1) {
        places.push(format!("and {} more", more + 1));
    }
    if places.is_empty() {
        format!("{why}: {}", item.path)
    } else {
        format!("{why}: {}: {}", places.join(", "), item.path)
    }
}

fn report(args: &MergeArgs, merged: &Merged, session: &Session) -> anyhow::Result<Exit> {
    let Merged { shared, packages, texts, dropped, packed } = merged;
    if session.printer.json {
        print_json(args, (packages, texts), dropped, packed.as_ref().map(|packed| packed.chunks))?;
    } else {
        let mut out = printer::out();
        for edited in packages {
            writeln!(out, "{}", edited.path)?;
            for change in &edited.changes {
                let [from, to] = [&change.from, &change.to]
                    .map(|value| value.as_deref().unwrap_or("the default of its class"));
                writeln!(out, "    {}: {from} -> {to}", change.address)?;
            }
        }
        for path in texts {
            writeln!(out, "{path}")?;
        }
        out.flush()?;
    }
    for item in dropped {
        session.printer.warning(&format!("left out, as another mod is preferred: {}", sentence(item)));
    }
    let same = shared.items.iter().filter(|item| item.verdict == SharedVerdict::Same).count() as u64;
    let put = counted(packages.len() as u64, "package put together", "packages put together");
    let put = match texts.len() as u64 {
        0 => put,
        files => format!("{put}, {}", counted(files, "localization file", "localization files")),
    };
    let same = counted(same, "is the same in several mods", "are the same in several mods");
    session.printer.note(&format!("{put}, {same}"));
    let Some(packed) = packed else { return Ok(Exit::Ok) };
    let exit = warn(&packed.warnings, 0, session);
    if let Some(output) = &args.output {
        let (chunks, bytes) = (printer::chunks(packed.chunks), size(packed.stored_bytes));
        session.printer.note(&format!("merged {chunks}, {bytes}: {}", output.display()));
        note_place(output, session);
    }
    Ok(exit)
}

fn print_json(
    args: &MergeArgs,
    (packages, texts): (&[Edited], &[String]),
    unmerged: &[Unmerged],
    chunks: Option<u64>,
) -> anyhow::Result<()> {
    let rows = packages.iter().map(|edited| MergedRow {
        path: &edited.path,
        changes: edited
            .changes
            .iter()
            .map(|change| ChangeRow {
                address: &change.address,
                from: change.from.as_deref(),
                to: change.to.as_deref(),
            })
            .collect(),
    });
    let rows: Vec<MergedRow<'_>> = rows.collect();
    printer::print_json(&Report {
        schema: "uncask.merge/1",
        dry_run: args.dry_run,
        output: args.output.as_ref().filter(|_| chunks.is_some()).map(|path| path.display().to_string()),
        packages: rows,
        texts,
        unmerged,
        chunks,
    })
}
