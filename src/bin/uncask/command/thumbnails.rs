//! `uncask thumbnails`: the small pictures of uncooked assets, as the files they are, and the textures of classic
//! packages.

mod pictures;

use crate::args::ThumbnailsArgs;
use crate::exit::Exit;
use crate::printer::{self, count};
use crate::session::Session;
use pictures::Found;
use serde::Serialize;
use std::path::{Path, PathBuf};
use uncask::error::{Error, Result};
use uncask::sink::{DirectorySink, OutputNames, OutputPath, Sink};
use uncask::source::{FolderFiles, Links, files_below};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    thumbnails: Vec<Written>,
    failures: Vec<String>,
}

/// A picture that was written.
#[derive(Serialize)]
struct Written {
    /// The package it is from.
    source: PathBuf,
    object: String,
    class: String,
    width: u32,
    height: u32,
    kind: &'static str,
    /// Where it is now, below the output folder.
    path: String,
    bytes: u64,
}

pub(crate) fn run(args: &ThumbnailsArgs, session: &Session) -> anyhow::Result<Exit> {
    let FolderFiles { files, problems } = files(&args.input)?;
    for problem in &problems {
        session.printer.warning(&problem.to_string());
    }
    let sink = DirectorySink::open(&args.output)?;
    let mut names = OutputNames::default();
    let mut report = Report { schema: "uncask.thumbnails/1", thumbnails: Vec::new(), failures: Vec::new() };
    let mut failed = |error: &Error| {
        session.printer.error(&error.to_string());
        report.failures.push(error.to_string());
    };
    for file in files {
        let name = name(&args.input, &file);
        let found = pictures::of_file(session, &file).unwrap_or_else(|error| vec![Err(error)]);
        for picture in found {
            match picture.and_then(|picture| write(&sink, &mut names, &file, &name, picture)) {
                Ok(written) => report.thumbnails.push(written),
                Err(error) => failed(&error),
            }
        }
    }
    let exit = finish(session, &report)?;
    Ok(if exit != Exit::Failed && !problems.is_empty() { Exit::Input } else { exit })
}

fn finish(session: &Session, report: &Report) -> anyhow::Result<Exit> {
    if session.printer.json {
        printer::print_json(report)?;
    }
    let (written, failed) = (report.thumbnails.len() as u64, report.failures.len() as u64);
    session.printer.note(&format!("wrote {} thumbnails, {} failed", count(written), count(failed)));
    Ok(match (written, failed) {
        (_, 1..) => Exit::Failed,
        (0, 0) => Exit::NothingMatched,
        _ => Exit::Ok,
    })
}

/// The packages of an input.
fn files(input: &Path) -> Result<FolderFiles> {
    if !std::fs::metadata(input).map_err(Error::io("open", input))?.is_dir() {
        return Ok(FolderFiles { files: vec![input.to_owned()], problems: Vec::new() });
    }
    Ok(files_below(input, Links::Follow, pictures::is_package))
}

/// The path of a package below the input, without extension.
fn name(input: &Path, file: &Path) -> String {
    let below = file.strip_prefix(input).ok().filter(|below| !below.as_os_str().is_empty());
    let path = below.or_else(|| file.file_name().map(Path::new)).unwrap_or(file);
    path.with_extension("").to_string_lossy().into_owned()
}

/// Writes a picture as `<file>/<object>.<extension>`.
fn write(
    sink: &DirectorySink,
    names: &mut OutputNames,
    file: &Path,
    name: &str,
    picture: Found,
) -> Result<Written> {
    let Found { object, class, width, height, extension, bytes } = picture;
    // What looks like folders in an object's name is none.
    let wanted = format!("{name}/{}.{extension}", object.replace(['/', '\\'], "_"));
    let tag = &blake3::hash(file.to_string_lossy().as_bytes()).to_hex()[..8];
    let (path, _) = names.claim(OutputPath::sanitize(&wanted), tag);
    let staged = sink.create(&path, bytes.len() as u64)?;
    staged.write_at(0, &bytes)?;
    staged.commit()?;
    let (kind, bytes) = (extension, bytes.len() as u64);
    Ok(Written { source: file.to_owned(), object, class, width, height, kind, path: path.to_string(), bytes })
}
