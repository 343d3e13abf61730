//! Report of a finished job: converted packages, and losses.

use crate::args::ToLegacyArgs;
use crate::exit::Exit;
use crate::output_file;
use crate::printer::{count, counted};
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use uncask::game::{AssetReport, Game, LibraryReport, Outcome, RebuiltAssets};

/// Content of the `--report` file.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    assets: &'a [AssetReport],
    libraries: &'a [LibraryReport],
    failures: Vec<Failure<'a>>,
}

#[derive(Serialize)]
struct Failure<'a> {
    path: &'a str,
    error: String,
}

/// Losses by kind: their number, and the number of packages.
type Losses = BTreeMap<&'static str, (u64, u64)>;

pub(super) fn finish(
    args: &ToLegacyArgs,
    session: &Session,
    game: &Game,
    outcome: &Outcome<RebuiltAssets>,
    total: u64,
    elapsed: Duration,
) -> anyhow::Result<Exit> {
    let losses = losses(&outcome.done.assets);
    for asset in &outcome.done.assets {
        for loss in &asset.losses {
            session.printer.detail(&format!("{}: {loss}", asset.header));
        }
    }
    if let Some(path) = &args.report {
        let report = Report {
            schema: "uncask.to-legacy.report/1",
            assets: &outcome.done.assets,
            libraries: &outcome.done.libraries,
            failures: failures(outcome),
        };
        output_file::write_json(path, &report)?;
    }
    let job = JobTitle { schema: "uncask.to-legacy/2", verb: "converted", total };
    let by_kind: BTreeMap<_, _> = losses.iter().map(|(kind, (times, _))| (*kind, *times)).collect();
    let engines = engines(&outcome.done.assets);
    let extra = serde_json::json!({
        "packages": outcome.done.assets.len(),
        "engines": engines,
        "libraries": outcome.done.libraries,
        "losses": by_kind,
    });
    let exit = summary::finish_with(session, game, outcome, &job, elapsed, extra)?;
    for line in lines(&engines, &losses) {
        session.printer.note(&line);
    }
    for engine in engines.iter().filter(|engine| !engine.engines_that_fit.is_empty()) {
        session.printer.warning(&engine.doubt());
    }
    Ok(exit)
}

/// Packages written in the layout of one release, for one reason.
#[derive(Serialize)]
struct Engine<'a> {
    engine: &'a str,
    by: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    engines_that_fit: &'a [&'static str],
    packages: u64,
}

impl Engine<'_> {
    /// Warning such as `97 packages fit UE 5.6, 5.7 and 5.8, whose layouts differ, …`.
    fn doubt(&self) -> String {
        let (last, others) = self.engines_that_fit.split_last().unwrap_or((&"", &[]));
        let what = counted(self.packages, "package fits", "packages fit");
        format!(
            "{what} UE {} and {last}, whose layouts differ, and nothing in the files says which; wrote the layout of UE {}: \
             choose another with --engine",
            others.join(", "),
            self.engine
        )
    }
}

fn engines(assets: &[AssetReport]) -> Vec<Engine<'_>> {
    let mut engines: BTreeMap<(&str, &str, &[&'static str]), u64> = BTreeMap::new();
    for asset in assets {
        *engines.entry((asset.engine, &asset.engine_by, &asset.engines_that_fit)).or_default() += 1;
    }
    let engine =
        |((engine, by, engines_that_fit), packages)| Engine { engine, by, engines_that_fit, packages };
    engines.into_iter().map(engine).collect()
}

fn failures(outcome: &Outcome<RebuiltAssets>) -> Vec<Failure<'_>> {
    let failures = outcome.problems();
    failures.map(|failure| Failure { path: &failure.path, error: failure.error.to_string() }).collect()
}

fn losses(assets: &[AssetReport]) -> Losses {
    let mut losses = Losses::new();
    for asset in assets {
        // Counted per package first, so that a package counts once for each kind.
        let mut here: BTreeMap<&'static str, u64> = BTreeMap::new();
        for loss in &asset.losses {
            *here.entry(loss.kind()).or_default() += 1;
        }
        for (kind, times) in here {
            let (all, packages) = losses.entry(kind).or_default();
            *all += times;
            *packages += 1;
        }
    }
    losses
}

/// Lines such as `97 packages in the layout of UE 5.8 (newest that fits)` and `package GUID not known: 97 in 97
/// packages`.
fn lines(engines: &[Engine<'_>], losses: &Losses) -> Vec<String> {
    let rebuilt = engines.iter().map(|Engine { engine, by, packages, .. }| {
        format!("{} in the layout of UE {engine} ({by})", counted(*packages, "package", "packages"))
    });
    let lost = losses.iter().map(|(kind, (times, packages))| {
        format!("{kind}: {} in {}", count(*times), counted(*packages, "package", "packages"))
    });
    rebuilt.chain(lost).collect()
}
