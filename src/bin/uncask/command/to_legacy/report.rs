//! The end of the job: what was rebuilt, and what could not be.

use crate::args::ToLegacyArgs;
use crate::command::summary::{self, Job};
use crate::exit::Exit;
use crate::output_file;
use crate::printer::count;
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use uncask::extract::legacy::{AssetReport, LegacyOutcome, LibraryReport};
use uncask::store::Store;

/// The file that `--report` writes.
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

/// Losses by kind: how often, in how many packages.
type Losses = BTreeMap<&'static str, (u64, u64)>;

pub(super) fn finish(
    args: &ToLegacyArgs,
    session: &Session,
    store: &Store,
    outcome: &LegacyOutcome,
    total: u64,
    elapsed: Duration,
) -> anyhow::Result<Exit> {
    let losses = losses(&outcome.assets);
    for asset in &outcome.assets {
        for loss in &asset.losses {
            session.printer.detail(&format!("{}: {loss}", asset.header));
        }
    }
    if let Some(path) = &args.report {
        let report = Report {
            schema: "uncask.to-legacy.report/1",
            assets: &outcome.assets,
            libraries: &outcome.libraries,
            failures: failures(outcome),
        };
        let bytes = serde_json::to_vec_pretty(&report)?;
        output_file::write(path, &bytes)?;
    }
    let job = Job { schema: "uncask.to-legacy/1", verb: "converted", total };
    let by_kind: BTreeMap<_, _> = losses.iter().map(|(kind, (times, _))| (*kind, *times)).collect();
    let extra = serde_json::json!({ "packages": outcome.assets.len(), "libraries": outcome.libraries, "losses": by_kind });
    let exit = summary::finish_with(session, store, &outcome.chunks, &job, elapsed, extra)?;
    for line in lines(&outcome.assets, &losses) {
        session.printer.note(&line);
    }
    Ok(exit)
}

fn failures(outcome: &LegacyOutcome) -> Vec<Failure<'_>> {
    let failures = outcome.chunks.problems();
    failures.map(|failure| Failure { path: &failure.path, error: failure.error.to_string() }).collect()
}

fn losses(assets: &[AssetReport]) -> Losses {
    let mut losses = Losses::new();
    for asset in assets {
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

/// `97 packages as of UE 5.8 (newest that fits)` and `package GUID not known: 97 packages`.
fn lines(assets: &[AssetReport], losses: &Losses) -> Vec<String> {
    let mut engines: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for asset in assets {
        *engines.entry((asset.engine, &asset.engine_by)).or_default() += 1;
    }
    let rebuilt = engines.into_iter().map(|((engine, how), packages)| {
        format!("{} packages as UE {engine} writes them ({how})", count(packages))
    });
    let lost = losses.iter().map(|(kind, (times, packages))| {
        format!("{kind}: {} in {} packages", count(*times), count(*packages))
    });
    rebuilt.chain(lost).collect()
}
