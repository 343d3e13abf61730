//! Previews: files made of assets that a browser can show.

use super::answer::Answer;
use super::asked::Asked;
use crate::browse::forms::{Detail, Form, MadeFiles, Options, make};
use crate::browse::games::GamePlace;
use crate::browse::kept::Kept;
use crate::browse::parameters::{decode, percent};
use crate::browse::refusal::Refusal;
use crate::job::Context;
use serde::Serialize;
use std::sync::Arc;

/// The files of a preview.
#[derive(Serialize)]
struct Preview {
    #[serde(flatten)]
    made: MadeFiles,
    /// The files, sorted by path.
    shown: Vec<File>,
}

/// A file that can be requested.
#[derive(Serialize)]
struct File {
    path: String,
    /// Its address, relative to the page.
    url: String,
    bytes: usize,
}

/// Makes the files for the preview of a package.
pub(super) fn preview(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let form = match asked.parameters.text("form") {
        "" => Form::Export,
        name => Form::from_name(name)?,
    };
    let all_mips = asked.parameters.text("mips") == "all";
    let detail = match asked.parameters.text("detail") {
        "rough" => Detail::Rough,
        "full" => Detail::Full,
        _ => Detail::Sketch,
    };
    let options = Options { form, all_mips, detail };
    let sink = asked.kept.sink();
    let made = make(&opened, &[entry], options, Arc::new(sink.clone()), context)?;
    // They are kept, because the page requests each file with a request of its own.
    let (number, files) = asked.kept.keep(sink.take());
    let file = |(path, bytes): (&String, &bytes::Bytes)| File {
        path: path.clone(),
        url: format!("made/{number}/{}", path.split('/').map(encode).collect::<Vec<_>>().join("/")),
        bytes: bytes.len(),
    };
    Answer::json(&Preview { made, shown: files.iter().map(file).collect() })
}

/// A small picture of a texture; nothing of a package without one.
pub(super) fn thumbnail(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let game = opened.game.within(context);
    let mut picture = None;
    game.gallery(game.package_inputs(&[entry]), opened.values(), |asset| {
        picture = picture.take().or(asset.thumbnail);
        Ok(())
    })?;
    Ok(Answer::new("image/png", picture.unwrap_or_default()))
}

/// One of the files kept: `N/PATH`.
pub(in crate::browse) fn made(kept: &Kept, path: &str) -> Result<Answer, Refusal> {
    let (number, path) = path.split_once('/').unwrap_or((path, ""));
    let gone = || Refusal::gone("the file is no longer kept; make it again");
    let files = number.parse().ok().and_then(|number| kept.files(number)).ok_or_else(gone)?;
    let path = decode(path, false);
    let bytes = files.get(&path).ok_or_else(|| Refusal::not_found("there is no such file"))?;
    Ok(Answer::new(kind(&path), bytes.clone()))
}

fn encode(part: &str) -> String {
    part.bytes().map(percent).collect()
}

/// MIME type of a file, by its extension.
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
