//! Reviews of the assets that differ between two versions in git, for `review` and `git difftool`.

mod asset;
mod changed;
mod drawing;
mod markdown;
mod page;
mod pictures;
mod references;
mod spread;
mod words;

use crate::args::{ReviewArgs, StoreArgs};
use crate::exit::{Exit, UsageError};
use crate::inputs::has_extension;
use crate::output_file;
use crate::printer::{self, counted};
use crate::session::Session;
use asset::{LineCounts, ReviewedAsset, ShownAsset};
use changed::{ChangedAsset, changed_assets};
use pictures::{AssetPicture, PicturePair, pictures};
use references::referrers;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use uncask::game::{
    Lend, PackageInputs, ProjectPackages, ReviewChange, ReviewComparison, ReviewOptions, ValueChange,
    ValueOptions, review_differences,
};

/// Most bytes of all pictures of a page: browsers hold all of them at once.
const MAX_PICTURES: usize = 64 << 20;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    range: &'a str,
    assets: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    old_path: Option<&'a str>,
    change: ValueChange,
    #[serde(flatten)]
    lines: LineCounts,
    /// Headings of the sections that differ.
    sections: Vec<String>,
    missing: &'a [String],
    referrers: &'a [String],
    redirects_to: Option<&'a str>,
    problem: Option<&'a str>,
}

pub(crate) fn run(args: &ReviewArgs, session: &Session) -> anyhow::Result<Exit> {
    let range = args.range.as_deref().unwrap_or("HEAD");
    let is_page = match &args.output {
        Some(path) if has_extension(path, "html") => true,
        Some(path) if !has_extension(path, "md") => {
            let message = format!("a review is .html or .md, not {}", path.display());
            return Err(UsageError(message).into());
        }
        _ => false,
    };
    let changed = changed_assets(range, &args.paths)?;
    let assets = compare(&changed, range, ReviewOptions { all: args.all }, session, is_page)?;
    let shown: Vec<ShownAsset<'_>> = assets.iter().map(ShownAsset::new).collect();
    if session.printer.json {
        let assets = shown.iter().map(Row::new).collect();
        printer::print_json(&Report { schema: "uncask.review/1", range, assets })?;
    }
    let text = if is_page { page::html(&shown, range) } else { markdown::markdown(&shown, range) };
    if let Some(path) = &args.output {
        output_file::write(path, text.as_bytes())?;
        session.printer.note(&format!("wrote {}", path.display()));
    } else if !session.printer.json {
        let mut out = printer::out();
        for line in text.lines() {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
    }
    for asset in assets.iter().filter(|asset| asset.problem.is_some()) {
        let problem = asset.problem.as_deref().unwrap_or_default();
        session.printer.error(&format!("{}: {problem}", asset.path));
    }
    let unchanged = changed.len().saturating_sub(assets.len()) as u64;
    if unchanged > 0 {
        let saved = counted(unchanged, "asset was saved", "assets were saved");
        session.printer.note(&format!("{saved} again without a change that is shown"));
    }
    Ok(if assets.iter().any(|asset| asset.problem.is_some()) { Exit::Failed } else { Exit::Ok })
}

/// Reads both versions of each asset, and keeps those that differ.
fn compare(
    changed: &[ChangedAsset],
    range: &str,
    options: ReviewOptions,
    session: &Session,
    with_pictures: bool,
) -> anyhow::Result<Vec<ReviewedAsset>> {
    let folder = tempfile::tempdir()?;
    let folders = ["old", "new"].map(|name| folder.path().join(name));
    for folder in &folders {
        std::fs::create_dir(folder)?;
    }
    let [old, new] = &folders;
    for asset in changed {
        asset.write_to([old, new])?;
    }
    let open = |folder: &Path| {
        let store = StoreArgs::single(folder, &[]);
        session.open_inputs(&store.more_inputs, &store, Lend::Always)
    };
    let (old_game, game) = (open(old)?, open(new)?);
    let inputs = [old, new].map(|folder| PackageInputs::of_files(folder, |_| true));
    let mut found: HashMap<String, ReviewChange> = HashMap::new();
    let each = |change: ReviewChange| {
        found.insert(change.file.clone(), change);
        Ok(())
    };
    let comparison = ReviewComparison { review: options, by_path: true };
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| {
        review_differences(
            [&old_game, &watched],
            inputs,
            [ValueOptions::default(), ValueOptions::default()],
            comparison,
            each,
        )
    })?;
    progress.finish();
    let in_folder = |path: &Path| {
        let inside = path.strip_prefix(old).or_else(|_| path.strip_prefix(new)).unwrap_or(path);
        inside.to_string_lossy().replace('\\', "/")
    };
    // The folders are gone when this is read.
    let plain = |text: &str| {
        folders.iter().fold(text.to_owned(), |text, folder| text.replace(&*folder.to_string_lossy(), ""))
    };
    let problems: HashMap<String, String> = outcome
        .failures
        .iter()
        .map(|failure| (in_folder(Path::new(&failure.path)), plain(&failure.error.to_string())))
        .collect();
    let project = ProjectPackages::of_files(&changed::tree(range)?);
    let assets = changed.iter().filter_map(|asset| reviewed(asset, &mut found, &problems, &project));
    let mut assets: Vec<ReviewedAsset> = assets.collect();
    let mut referrers = referrers(range, &assets.iter().filter_map(ReviewedAsset::gone).collect::<Vec<_>>())?;
    // Bytes of pictures that still fit.
    let mut left = if with_pictures { MAX_PICTURES } else { 0 };
    for asset in &mut assets {
        let gone = asset.gone().and_then(|(path, _)| referrers.remove(path));
        asset.referrers = gone.unwrap_or_default();
        if left > 0 {
            asset.pictures = pictures([old, new], &asset.path);
            left = left.saturating_sub(asset.pictures.iter().flatten().map(AssetPicture::len).sum());
        }
    }
    if with_pictures && left == 0 {
        session.printer.note("pictures of the last assets are left out: the page would have too many");
    }
    Ok(assets)
}

/// An asset as it is shown; `None` if nothing differs.
fn reviewed(
    asset: &ChangedAsset,
    found: &mut HashMap<String, ReviewChange>,
    problems: &HashMap<String, String>,
    project: &ProjectPackages,
) -> Option<ReviewedAsset> {
    let (path, old_path) = (asset.path.clone(), asset.old_path.clone());
    let problem = problems.get(&path).cloned();
    let blank = |change: ValueChange| ReviewedAsset {
        path: path.clone(),
        old_path: old_path.clone(),
        change,
        from: None,
        to: None,
        missing: Vec::new(),
        referrers: Vec::new(),
        redirects_to: None,
        pictures: PicturePair::default(),
        problem: problem.clone(),
    };
    match found.remove(&path) {
        Some(ReviewChange { change, from, to, imports, redirects_to, .. }) => {
            let missing = project.missing(&imports);
            Some(ReviewedAsset { from, to, missing, redirects_to, ..blank(change) })
        }
        // A file that was moved shows, even if nothing in it differs.
        None if problem.is_some() || old_path.is_some() => Some(blank(ValueChange::Changed)),
        None => None,
    }
}

impl<'a> Row<'a> {
    fn new(shown: &ShownAsset<'a>) -> Self {
        let asset = shown.asset;
        Self {
            path: &asset.path,
            old_path: asset.old_path.as_deref(),
            change: asset.change,
            lines: shown.lines,
            sections: shown.sections.iter().map(|section| section.heading.to_owned()).collect(),
            missing: &asset.missing,
            referrers: &asset.referrers,
            redirects_to: asset.redirects_to.as_deref(),
            problem: asset.problem.as_deref(),
        }
    }
}
