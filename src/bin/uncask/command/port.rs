//! `uncask port`: makes a mod for a new build of a game out of one for an old build.

use crate::args::{PortArgs, PropertyArgs};
use crate::exit::Exit;
use crate::keys;
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::original;
use crate::shared::packed::{note_place, refused, warn};
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{JoinError, Lend, PackOptions, PortOptions, PortReason, Ported, PortedDoubt};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    dry_run: bool,
    output: Option<String>,
    /// Packages of the new build with values of the mod.
    packages: Vec<Row<'r>>,
    /// Localization files of the new build with texts of the mod.
    texts: &'r [String],
    /// Packages and files that are those of the mod.
    whole: &'r [String],
    doubts: &'r [PortedDoubt],
}

#[derive(Serialize)]
struct Row<'r> {
    path: &'r str,
    changes: Vec<(&'r str, Option<&'r str>, Option<&'r str>)>,
}

pub(crate) fn run(args: &PortArgs, session: &Session) -> anyhow::Result<Exit> {
    let open = |path: &Path| session.open(&args.store(path), Lend::Always);
    let (own, old, new) = (open(&args.file)?, open(&args.from)?, open(&args.to)?);
    for opened in [&own, &old, &new] {
        session.warn_of_locks(opened);
    }
    let packing = original::packing_like(&args.file, &args.aes_key, args.reading.engine, session)?;
    let packing = PackOptions { replace: args.overwrite, force: args.force, ..packing };
    let of_new = PropertyArgs {
        mappings: args.new_mappings.clone().or_else(|| args.reading.mappings.clone()),
        engine: args.reading.engine,
    };
    let options = PortOptions {
        old_values: values::options(&args.reading, &args.from, session)?,
        new_values: values::options(&of_new, &args.to, session)?,
        packing,
        renames: args.rename.clone(),
    };
    let (making, progress) = session.making("files");
    let making = making.keys(keys::collect(&args.aes_key, &session.printer)?);
    let output = args.output.as_deref().filter(|_| !args.dry_run);
    let ported = session.make(|| making.port(&own, [&old, &new], output, &options));
    progress.finish();
    match ported {
        Ok(ported) => {
            let near = (&of_new, args.to.as_path());
            let read = values::report_outcomes(session, &ported.outcomes, &own, near);
            report(args, &ported, session).map(|exit| if exit == Exit::Ok { read } else { exit })
        }
        Err(JoinError::Io(Error::Refused { reasons })) => Ok(refused(&reasons, session)),
        Err(JoinError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn report(args: &PortArgs, ported: &Ported, session: &Session) -> anyhow::Result<Exit> {
    let Ported { packages, texts, whole, doubts, packed, .. } = ported;
    if session.printer.json {
        let rows = packages.iter().map(|edited| Row {
            path: &edited.path,
            changes: edited
                .changes
                .iter()
                .map(|change| (&*change.address, change.from.as_deref(), change.to.as_deref()))
                .collect(),
        });
        printer::print_json(&Report {
            schema: "uncask.port/1",
            dry_run: args.dry_run,
            output: args.output.as_ref().filter(|_| packed.is_some()).map(|path| path.display().to_string()),
            packages: rows.collect(),
            texts,
            whole,
            doubts,
        })?;
    } else {
        print(ported, session)?;
    }
    for doubt in doubts {
        if doubt.reason.is_loss() {
            session.printer.error(&sentence(doubt));
        } else {
            session.printer.warning(&sentence(doubt));
        }
    }
    let changed = counted(
        packages.len() as u64,
        "package of the new build changed",
        "packages of the new build changed",
    );
    let changed = match texts.len() as u64 {
        0 => changed,
        files => format!("{changed}, {}", counted(files, "localization file", "localization files")),
    };
    let kept =
        counted(whole.len() as u64, "package or file of the mod kept", "packages and files of the mod kept");
    let losses = doubts.iter().filter(|doubt| doubt.reason.is_loss()).count() as u64;
    let lost = counted(losses, "change did not come along", "changes did not come along");
    session.printer.note(&format!("{changed}, {kept}; {lost}"));
    let mut exit = Exit::Ok;
    if let Some((packed, output)) = packed.as_ref().zip(args.output.as_ref()) {
        exit = warn(&packed.warnings, 0, session);
        let (chunks, bytes) = (printer::chunks(packed.chunks), size(packed.stored_bytes));
        session.printer.note(&format!("ported {chunks}, {bytes}: {}", output.display()));
        note_place(output, session);
    } else if packages.is_empty() && texts.is_empty() && whole.is_empty() {
        session.printer.note("nothing is left of the mod");
        return Ok(Exit::Failed);
    }
    Ok(if losses > 0 { Exit::Failed } else { exit })
}

fn print(ported: &Ported, session: &Session) -> anyhow::Result<()> {
    let mut out = printer::out();
    for edited in &ported.packages {
        writeln!(out, "{}", edited.path)?;
        for change in &edited.changes {
            let [from, to] = [&change.from, &change.to]
                .map(|value| value.as_deref().unwrap_or("the default of its class"));
            writeln!(out, "    {}: {from} -> {to}", change.address)?;
        }
    }
    for path in &ported.texts {
        writeln!(out, "{path}")?;
    }
    if session.printer.is_verbose() {
        for path in &ported.whole {
            writeln!(out, "{path}: as it is")?;
        }
    }
    Ok(out.flush()?)
}

/// The name at the end of the path of a property.
fn last_name(place: &str) -> &str {
    let name = place.rsplit('.').next().unwrap_or(place);
    name.split('[').next().unwrap_or(name)
}

/// Sentence such as `the new build changed it, too (11); 12 of the mod is kept: Default__Sword_C.Damage: /Game/Sword`.
fn sentence(doubt: &PortedDoubt) -> String {
    let text = |value: &Option<uncask::game::ShownValue>| {
        value.as_ref().map_or("none", |value| &value.text).to_owned()
    };
    let why = match doubt.reason {
        PortReason::PackageGone => "the new build does not have it".to_owned(),
        PortReason::Gone => match &doubt.maybe_renamed {
            None => "the new build does not have it, or in another form".to_owned(),
            Some(renamed) => {
                let [old, new] = [&doubt.place, renamed].map(|place| last_name(place));
                format!("the new build may call it {new}; --rename {old}={new} puts it there")
            }
        },
        PortReason::NotAValue => {
            "cannot be put into the package of the new build, as it is no value".to_owned()
        }
        PortReason::TooMany => "more changes than can be compared".to_owned(),
        PortReason::ChangedByBoth if doubt.place.is_empty() => {
            "the new build changed it, too; that of the mod is kept".to_owned()
        }
        PortReason::ChangedByBoth => {
            format!(
                "the new build changed it, too, to {}; {} of the mod is kept",
                text(&doubt.new_value),
                text(&doubt.value)
            )
        }
    };
    if doubt.place.is_empty() {
        format!("{why}: {}", doubt.path)
    } else {
        format!("{why}: {}: {}", doubt.place, doubt.path)
    }
}
