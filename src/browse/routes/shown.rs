//! Files that a browser shows, made of assets.

use super::state::{Place, State};
use crate::browse::forms::{Form, Made, Options, make};
use crate::browse::reply::{self, Refusal, Reply, percent};
use crate::browse::request::{Parameters, decode};
use hyper::{HeaderMap, StatusCode};
use serde::Serialize;
use std::sync::Arc;

/// What an asset became.
#[derive(Serialize)]
struct Preview {
    #[serde(flatten)]
    made: Made,
    /// The files, by their paths.
    shown: Vec<File>,
}

/// A file that can be asked for.
#[derive(Serialize)]
struct File {
    path: String,
    /// Its address, relative to the page.
    url: String,
    bytes: usize,
}

/// Makes the files of a package that a browser shows.
pub(super) async fn preview(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let Place { opened, entry, .. } = state.place(parameters.needed("row")?)?;
    let form = match parameters.text("form") {
        "" => Form::Export,
        name => Form::from_name(name)?,
    };
    let options = Options { form, all_mips: parameters.text("mips") == "all" };
    let (cpu, kept) = (opened.game.store().cpu().clone(), state.kept.clone());
    let preview = state.workshop.run(&cpu, move |context| {
        let sink = kept.sink();
        let made = make(&opened, &[entry], options, Arc::new(sink.clone()), context)?;
        let (number, files) = kept.keep(sink.take());
        let file = |(path, bytes): (&String, &bytes::Bytes)| File {
            path: path.clone(),
            url: format!("made/{number}/{}", path.split('/').map(encode).collect::<Vec<_>>().join("/")),
            bytes: bytes.len(),
        };
        Ok(Preview { made, shown: files.iter().map(file).collect() })
    });
    reply::json(&preview.await?)
}

/// One of the files that were made: `N/PATH`.
pub(super) fn made(state: &State, path: &str, headers: &HeaderMap) -> Result<Reply, Refusal> {
    let (number, path) = path.split_once('/').unwrap_or((path, ""));
    let gone = || Refusal::new(StatusCode::GONE, "the file is no longer kept; make it again");
    let number = number.parse().map_err(|_| gone())?;
    let files = state.kept.files(number).ok_or_else(gone)?;
    let path = decode(path, false);
    let bytes = files.get(&path).ok_or_else(|| Refusal::not_found("there is no such file"))?;
    Ok(reply::ranged(kind(&path), bytes.clone(), headers))
}

fn encode(part: &str) -> String {
    part.bytes().map(percent).collect()
}

/// The type of a file that was made.
pub(super) fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "png" => "image/png",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "gltf" => "model/gltf+json",
        "glb" => "model/gltf-binary",
        "json" => "application/json",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        _ => "application/octet-stream",
    }
}
