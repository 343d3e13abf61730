//! `uncask thumbnails`: extracts thumbnails of uncooked assets as they are, and the textures of classic packages.

mod pictures;

use crate::args::ThumbnailsArgs;
use crate::exit::{Exit, UsageError};
use crate::printer::{self, count, counted};
use crate::session::Session;
use pictures::{FoundThumbnail, NoPictures};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::error::{Error, Result};
use uncask::game::{
    DirectorySink, FolderFiles, HashTag, Links, OutputNames, OutputPath, Overwrite, discover, files_below,
    put,
};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    thumbnails: Vec<Written>,
    failures: Vec<String>,
    /// Packages without pictures, by reason.
    without: BTreeMap<NoPictures, Vec<PathBuf>>,
}

/// A written picture.
#[derive(Serialize)]
struct Written {
    /// Its package.
    source: PathBuf,
    object: String,
    class: String,
    width: u32,
    height: u32,
    kind: &'static str,
    /// Path below the output folder.
    path: String,
    bytes: u64,
}

pub(crate) fn run(args: &ThumbnailsArgs, session: &Session) -> anyhow::Result<Exit> {
    // Packages in containers are cooked, and have no thumbnails.
    if discover(&args.input).is_ok_and(|_| !args.input.is_dir()) {
        let problem = "thumbnails reads packages, not containers; unpack the container first";
        return Err(UsageError(format!("{problem}: {}", args.input.display())).into());
    }
    let FolderFiles { files, problems } = files(&args.input)?;
    for problem in &problems {
        session.printer.problem(problem);
    }
    let sink = DirectorySink::open(&args.output)?;
    let mut names = OutputNames::default();
    let mut report = Report {
        schema: "uncask.thumbnails/1",
        thumbnails: Vec::new(),
        failures: Vec::new(),
        without: BTreeMap::new(),
    };
    for file in files {
        let name = name(&args.input, &file);
        let mut note = |written: Result<Written>| match written {
            Ok(written) => report.thumbnails.push(written),
            Err(error) => {
                session.printer.failure(&error);
                report.failures.push(error.to_string());
            }
        };
        let mut found = 0_u64;
        // Pictures are written as they are read, so only one is in memory.
        let mut take = |picture: Result<FoundThumbnail>| {
            found += 1;
            note(picture.and_then(|picture| write(&sink, &mut names, &file, &name, picture)));
        };
        match pictures::of_file(session, &file, &mut take) {
            Ok(otherwise) if found == 0 => report.without.entry(otherwise).or_default().push(file),
            Ok(_) => {}
            Err(error) => note(Err(error)),
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
    for (none, files) in &report.without {
        let first = files.first().map(|file| file.display().to_string()).unwrap_or_default();
        let number = counted(files.len() as u64, "file has", "files have");
        let others = if files.len() > 1 { ", …" } else { "" };
        session.printer.note(&format!("{number} no pictures: {}: {first}{others}", none.reason()));
    }
    let written_pictures = counted(written, "picture", "pictures");
    session.printer.note(&format!("wrote {written_pictures}, {} failed", count(failed)));
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

/// The extensionless path of a package below the input.
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
    picture: FoundThumbnail,
) -> Result<Written> {
    let FoundThumbnail { object, class, width, height, extension, bytes } = picture;
    // Slashes in an object's name are no folders.
    let wanted = format!("{name}/{}.{extension}", object.replace(['/', '\\'], "_"));
    let (path, _) = names.claim(OutputPath::sanitize(&wanted), HashTag(&file.to_string_lossy()));
    put(sink, &path, &bytes, Overwrite::Always)?;
    let (kind, bytes) = (extension, bytes.len() as u64);
    Ok(Written { source: file.to_owned(), object, class, width, height, kind, path: path.to_string(), bytes })
}
