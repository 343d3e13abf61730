//! `uncask bench`: measures speed on this machine.

mod plot;
mod print;

use crate::args::{BenchArgs, StoreArgs};
use crate::bench::{BenchOptions, Kind, Subject, Synthetic, bench, synthesize};
use crate::exit::{self, Exit};
use crate::output_file;
use crate::printer::{self, size};
use crate::session::Session;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use uncask::game::Lend;

/// Uncompressed bytes below which starting threads and opening files take longer than the work.
const ENOUGH: u64 = 64 << 20;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> anyhow::Result<Exit> {
    let parent = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let made = args.synthetic.map(|kind| make(args, session, kind.into(), &parent)).transpose()?;
    let input = made.as_ref().map(|made| &made.synthetic.containers).or(args.input.as_ref());
    let Some(input) = input else { return Ok(Exit::Usage) };
    let opened = StoreArgs { toc_version: args.toc_version, ..StoreArgs::single(input, &args.aes_key) };
    let game = session.open(&opened, Lend::Never)?;
    session.warn_of_locks(&game);
    // Figures for a part of the input would be taken for the whole.
    if exit::of_listing(&game) != Exit::Ok {
        return Ok(exit::of_listing(&game));
    }
    let subject = Subject::new(game, session.game_options(&opened, Lend::Never)?, args.size.0);
    if subject.chunks() == 0 {
        session.printer.error("the input has no data to measure with");
        return Ok(Exit::NothingMatched);
    }
    if subject.raw_bytes() < ENOUGH {
        let (found, enough) = (size(subject.raw_bytes()), size(ENOUGH));
        let text = format!(
            "only {found} to measure with: below {enough}, starting threads and opening files weigh more than the work, and \
             the figures mean little; --synthetic makes as much as --size says"
        );
        session.printer.warning(&text);
    }
    let options = BenchOptions {
        rounds: args.rounds,
        // With `-j` the series ends at the given number.
        threads: thread_counts(session.cpu().threads()),
        memory: session.memory(),
        folder: parent,
        tree: made.as_ref().map(|made| made.synthetic.files.clone()),
    };
    let report = bench(&subject, &options, |what| session.printer.detail(what))?;
    if session.printer.json {
        printer::print_json(&report)?;
    } else {
        print::report(&report, &mut printer::out())?;
    }
    if let Some(path) = &args.plot {
        output_file::write(path, plot::svg(&report).as_bytes())?;
    }
    // Some systems cannot remove open files, so close them first.
    drop(subject);
    if let Some(made) = made.filter(|_| args.keep) {
        session.printer.note(&format!("kept {}", made.keep().display()));
    }
    Ok(Exit::Ok)
}

/// Powers of two below `most`, followed by `most`.
fn thread_counts(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(count * 2));
    powers.take_while(|count| *count < most).chain([most]).collect()
}

/// A generated container, removed at the end.
struct Made {
    synthetic: Synthetic,
    folder: Option<PathBuf>,
}

impl Made {
    fn keep(mut self) -> PathBuf {
        self.folder.take().unwrap_or_default()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Not worth a message: the name shows the purpose of the folder.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

fn make(args: &BenchArgs, session: &Session, kind: Kind, parent: &Path) -> anyhow::Result<Made> {
    let folder = parent.join(format!("uncask-synthetic-{}-{}", kind.name(), std::process::id()));
    session.printer.detail(&format!("making {}", folder.display()));
    // Created before the work, so that an error removes the folder as well.
    let mut made = Made { synthetic: Synthetic::default(), folder: Some(folder.clone()) };
    made.synthetic = synthesize(&folder, kind, args.mix.into(), args.size.0, &session.cpu())
        .with_context(|| format!("cannot make a container in {}", folder.display()))?;
    Ok(made)
}
