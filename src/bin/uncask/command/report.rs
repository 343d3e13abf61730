//! `uncask report`: writes a page about containers.

mod gallery;
mod page;
mod place;

use crate::args::ReportArgs;
use crate::exit::{self, Exit};
use crate::output_file;
use crate::printer::{self, size};
use crate::selection;
use crate::session::Session;
use crate::shared::classes;
use place::ReportPlace;
use serde::Serialize;
use std::path::Path;
use uncask::game::{Entry, Game, Lend, Usage};

/// Number of packages whose headers are read by default, which takes only a moment. For more, `--show-class` is required.
const CLASSES_UNASKED: usize = 1000;

#[derive(Serialize)]
struct Summary {
    schema: &'static str,
    output: String,
    /// Length of the page, in bytes.
    bytes: u64,
    total: Usage,
}

pub(crate) fn run(args: &ReportArgs, session: &Session) -> anyhow::Result<Exit> {
    let game = session.open(&args.store, Lend::Always)?;
    session.warn_of_locks(&game);
    let entries = selection::select(session, &game, &args.select)?;
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    let with_class = args.show_class || few_packages(&game, &entries);
    let classes = with_class.then(|| classes::classes(session, &game, &entries, args.show_class));
    // Without script objects no class is known; then the page has no such chart.
    let classes = classes.filter(|classes| !classes.is_empty());
    let class_of = classes.as_ref().map(|classes| {
        |entry: Entry| game.at(entry).package_id().and_then(|package| classes.get(&package).cloned())
    });
    let report = game.overview(&entries, class_of.as_ref().map(|class_of| class_of as _));
    let place = ReportPlace::new(args);
    let shown = args.gallery.then(|| gallery::make(args, &place, session, &game, &entries)).transpose()?;
    let (gallery, packages) = shown.unzip();
    if packages.as_ref().is_some_and(|packages| packages.cancelled) {
        return Ok(Exit::Interrupted);
    }
    let title = args.title.clone().unwrap_or_else(|| title(&args.store.input));
    let total = report.total;
    // Built in memory, then written at once.
    let page = page::html(&title, &page::Data { overview: report, gallery })?;
    output_file::write(&place.page, page.as_bytes())?;
    let (output, bytes) = (place.page.display().to_string(), page.len() as u64);
    if session.printer.json {
        let schema = "uncask.report/1";
        printer::print_json(&Summary { schema, output, bytes, total })?;
    } else {
        let chunks = printer::chunks(total.count);
        session.printer.note(&format!("wrote a page of {} about {chunks}: {output}", size(bytes)));
    }
    Ok(packages.map_or_else(|| exit::of_listing(&game), |packages| exit::of_outcome(&packages, &game)))
}

fn few_packages(game: &Game, entries: &[Entry]) -> bool {
    entries.iter().filter(|entry| game.at(**entry).is_package()).count() <= CLASSES_UNASKED
}

/// Name of the input file or folder.
fn title(input: &Path) -> String {
    // Made absolute first: `.` has no name.
    let whole = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
    whole.file_name().map_or_else(|| "uncask".to_owned(), |name| name.to_string_lossy().into_owned())
}
