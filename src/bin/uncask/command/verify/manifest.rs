//! `uncask verify --manifest`: compares files on disk or in a bucket with manifests.

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::printer;
use crate::session::Session;
use uncask::error::Error;
use uncask::game::{Manifest, is_url, open_output};

pub(crate) fn run(args: &VerifyArgs, session: &Session) -> anyhow::Result<Exit> {
    let folder = &args.store.input;
    // Checked first, because opening a sink creates a missing folder.
    if !is_url(folder) {
        std::fs::read_dir(folder).map_err(Error::io("open folder", folder))?;
    }
    let sink = open_output(folder)?;
    let manifests =
        args.manifest.iter().map(|path| Manifest::open(path)).collect::<Result<Vec<Manifest>, Error>>()?;
    // All manifests of a sharded job are checked together, to find missing shards.
    let problems = Manifest::check_all(&manifests, &*sink, &session.cpu());
    let files: usize = manifests.iter().map(|manifest| manifest.files().len()).sum();
    if session.printer.json {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let json =
            serde_json::json!({ "schema": "uncask.verify_manifest/1", "files": files, "problems": texts });
        printer::print_json(&json)?;
    } else {
        for problem in &problems {
            session.printer.error(&problem.to_string());
        }
    }
    let files = printer::counted(files as u64, "file", "files");
    let wrong = printer::counted(problems.len() as u64, "problem", "problems");
    session.printer.note(&format!("checked {files} against the manifests: {wrong}"));
    Ok(if problems.is_empty() { Exit::Ok } else { Exit::Failed })
}
