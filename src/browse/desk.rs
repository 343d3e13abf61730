//! Answers to the page without a server.

use super::answers::download::{Download, file_name, make_files, zip_name};
use super::answers::{self, Answer, Asked, parse};
use super::comparison::{Comparison, Other, Overview};
use super::forms::{Form, Options};
use super::games::{GamePlace, Games};
use super::kept::Kept;
use super::parameters::Parameters;
use super::refusal::Refusal;
use super::selection::Selections;
use super::session::{Opened, Opening, Summary};
use super::zip::{write_chunk, write_zip};
use crate::game::{Cpu, Entry};
use crate::job::{Budget, Context};
use crate::source::Files;
use bytes::Bytes;
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;

/// An open game that answers the page without a server.
///
/// It handles the same addresses as [the server](super), in relative form such as `api/rows`. Paths in `api/open` or
/// `api/compare` refer to the files last given to it.
#[derive(Debug)]
pub struct Desk {
    files: Files,
    games: Games,
    /// Number of the last opened game.
    number: u32,
    /// Files made for the page.
    kept: Kept,
    selections: Selections,
    memory: u64,
}

/// The open game and comparison.
#[derive(Serialize)]
struct Now {
    version: &'static str,
    game: Option<Summary>,
    comparison: Option<Overview>,
}

impl Desk {
    /// A desk with this memory budget for data in flight, in bytes.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        let (kept, selections) = (Kept::new(memory / 4), Selections::default());
        Self { files: Files::default(), games: Games::default(), number: 0, kept, selections, memory }
    }

    /// Sets the files that can be opened.
    pub fn give(&mut self, files: Files) {
        self.files = files;
    }

    /// Answers a request; one with a body changes something, or has long parameters. A file that may not fit in memory
    /// is written to `out`, and the answer has only its name.
    pub fn ask(&mut self, address: &str, body: Option<&[u8]>, out: impl Write) -> Answer {
        // Addresses are those of the server, without the leading slash.
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let parameters = Parameters::parse(query);
        let answered = match (path, body) {
            ("api/game", None) => self.now(),
            ("api/open", Some(body)) => self.open(body),
            ("api/compare", Some(body)) => self.compare(body),
            ("api/compare/end", Some(_)) => {
                self.games.comparison = None;
                Answer::json(&())
            }
            ("api/select", Some(body)) => self.select(body),
            ("api/download", None) => self.download(&parameters, out),
            ("api/zip", None) => self.zip(&parameters, out),
            _ => match path.strip_prefix("made/") {
                Some(path) if body.is_none() => answers::made(&self.kept, path),
                _ => self.about_games(path, parameters, body),
            },
        };
        answered.unwrap_or_else(|refusal| Answer::refused(&refusal))
    }

    fn now(&self) -> Result<Answer, Refusal> {
        let Games { shown, comparison } = &self.games;
        Answer::json(&Now {
            version: env!("CARGO_PKG_VERSION"),
            game: shown.as_ref().map(|opened| opened.summary()),
            comparison: comparison.as_ref().map(|comparison| comparison.overview()),
        })
    }

    /// Opens a game in place of the current one, which stays if that fails.
    fn open(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        let opened = self.open_game(parse(body)?)?;
        let summary = opened.summary();
        self.games = Games { shown: Some(opened), comparison: None };
        Answer::json(&summary)
    }

    /// Opens another build and compares; the shown game stays in any case.
    fn compare(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        // Parse first: a malformed request must not end the current comparison.
        let Other { opening, is_newer } = parse(body)?;
        let shown = Arc::clone(self.games.opened()?);
        // Drop the old comparison first: three games at once would take too much memory.
        self.games.comparison = None;
        let other = self.open_game(opening)?;
        let context = self.context(&other);
        let comparison = Comparison::beside(shown, other, is_newer, &context)?;
        let overview = comparison.overview();
        self.games.comparison = Some(Arc::new(comparison));
        Answer::json(&overview)
    }

    fn open_game(&mut self, mut opening: Opening) -> Result<Arc<Opened>, Refusal> {
        // A page in a browser has no file system, only the files that the user has chosen.
        opening.files = self.files.clone();
        opening.memory = self.memory;
        let context = Context::new(Cpu::default(), Budget::new(self.memory), true);
        // The number is only used up if opening succeeds.
        let opened = Opened::open(opening, self.number + 1, &context)?;
        self.number += 1;
        Ok(Arc::new(opened))
    }

    fn about_games(
        &self,
        path: &str,
        parameters: Parameters,
        body: Option<&[u8]>,
    ) -> Result<Answer, Refusal> {
        let question = answers::question(path, body.is_some())?;
        let body = body.map(Bytes::copy_from_slice).unwrap_or_default();
        let asked = Asked { parameters, body, games: self.games.clone(), kept: self.kept.clone() };
        (question.answer)(&asked, &self.context(self.games.opened()?))
    }

    /// Stores a selection, since the address of a download cannot hold a long list.
    fn select(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        Answer::json(&self.selections.remember(parse(body)?))
    }

    fn download(&self, parameters: &Parameters, mut out: impl Write) -> Result<Answer, Refusal> {
        let GamePlace { opened, entry, .. } = self.games.place(parameters.needed("row")?)?;
        let form = Form::from_name(parameters.text("form"))?;
        let context = self.context(&opened);
        // Raw chunks are streamed; all other forms are made in memory.
        if form == Form::Raw {
            write_chunk(&opened, entry, &context, &mut out).map_err(Refusal::unprocessable)?;
            return Ok(written("application/octet-stream", file_name(&opened, entry)));
        }
        match make_files(&opened, entry, form, &self.kept, &context)? {
            Download::One(answer) => Ok(answer),
            Download::Several(name) => zipped(&opened, &[entry], form, &context, name, out),
        }
    }

    fn zip(&self, parameters: &Parameters, out: impl Write) -> Result<Answer, Refusal> {
        let selection = self.selections.get(parameters.needed("selection")?)?;
        let context = self.context(self.games.opened()?);
        let (opened, entries) = selection.files(&self.games, &context)?;
        zipped(&opened, &entries, selection.form, &context, zip_name(&opened), out)
    }

    fn context(&self, opened: &Opened) -> Context {
        Context::new(opened.game.cpu().clone(), Budget::new(self.memory), true)
    }
}

fn zipped(
    opened: &Opened,
    entries: &[Entry],
    form: Form,
    context: &Context,
    name: String,
    out: impl Write,
) -> Result<Answer, Refusal> {
    let options = Options { form, ..Options::default() };
    let zip = write_zip(opened, entries, options, context, out);
    zip.map_err(|_| Refusal::unprocessable("the zip is not complete"))?;
    Ok(written("application/zip", name))
}

/// The answer for a file written elsewhere.
fn written(kind: &'static str, name: String) -> Answer {
    Answer { name: Some(name), ..Answer::new(kind, Bytes::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ReadAt;
    use serde_json::{Value, json};
    use std::path::PathBuf;

    /// A desk with the files of a folder, under other paths.
    fn desk(folder: &str, opening: &Value) -> (Desk, Answer) {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| {
            let entry = entry.unwrap();
            let bytes = Bytes::from(std::fs::read(entry.path()).unwrap());
            (PathBuf::from("Picked").join(entry.file_name()), Arc::new(bytes) as Arc<dyn ReadAt>)
        });
        let mut desk = Desk::new(64 << 20);
        desk.give(Files::given(files));
        let opened = desk.ask("api/open", Some(opening.to_string().as_bytes()), std::io::sink());
        (desk, opened)
    }

    fn value(answer: &Answer) -> Value {
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        serde_json::from_slice(&answer.bytes).unwrap()
    }

    fn get(desk: &mut Desk, address: &str) -> Value {
        value(&desk.ask(address, None, std::io::sink()))
    }

    fn row_of(desk: &mut Desk, name: &str) -> u64 {
        get(desk, &format!("api/row?name={name}"))["row"].as_u64().unwrap()
    }

    #[test]
    fn files_that_were_given_answer_as_those_on_disk_do() {
        let (mut desk, opened) = desk("testdata/demo", &json!({ "path": "Picked" }));
        let game = crate::Game::open("testdata/demo").unwrap();
        assert_eq!(value(&opened)["chunks"], game.chunks().len());
        let search = json!({ "text": "t_rock .uasset", "count": 10 }).to_string();
        let found = value(&desk.ask("api/rows", Some(search.as_bytes()), std::io::sink()));
        assert_eq!(found["total"], 1);
        let row = found["rows"][0]["row"].as_u64().unwrap();
        assert_eq!(get(&mut desk, &format!("api/chunk?row={row}"))["class"], "/Script/Engine.Texture2D");
        assert_eq!(get(&mut desk, &format!("api/properties?row={row}"))[0]["Name"], "T_Rock");
        let bytes = desk.ask(&format!("api/bytes?row={row}&from=2&count=9"), None, std::io::sink()).bytes;
        let chunk = game.chunk(found["rows"][0]["path"].as_str().unwrap()).unwrap();
        assert_eq!(*bytes, game.read_chunk(chunk).unwrap()[2..11]);
        let shown = get(&mut desk, &format!("api/preview?row={row}"));
        let url = shown["shown"][0]["url"].as_str().unwrap();
        assert!(desk.ask(url, None, std::io::sink()).bytes.starts_with(b"\x89PNG"));
    }

    #[test]
    fn downloads_are_what_the_command_line_gives() {
        let (mut desk, _) = desk("testdata/demo", &json!({ "path": "Picked" }));
        let game = crate::Game::open("testdata/demo").unwrap();
        let row = row_of(&mut desk, "T_Rock.uasset");
        let mut raw = Vec::new();
        let answer = desk.ask(&format!("api/download?row={row}&form=raw"), None, &mut raw);
        assert_eq!((answer.status, answer.name.as_deref()), (200, Some("T_Rock.uasset")));
        assert_eq!(raw, game.read("/Game/Textures/T_Rock").unwrap());
        let png = desk.ask(&format!("api/download?row={row}&form=png"), None, std::io::sink());
        assert_eq!((png.name.as_deref(), png.bytes.starts_with(b"\x89PNG")), (Some("T_Rock.png"), true));
        let mut zip = Vec::new();
        let legacy = desk.ask(&format!("api/download?row={row}&form=legacy"), None, &mut zip);
        assert_eq!((legacy.name.as_deref(), zip.starts_with(b"PK\x03\x04")), (Some("T_Rock.zip"), true));
        let wanted = json!({ "text": ".umap", "form": "raw", "game": 1 }).to_string();
        let number = value(&desk.ask("api/select", Some(wanted.as_bytes()), std::io::sink()));
        let mut zip = Vec::new();
        let all = desk.ask(&format!("api/zip?selection={number}"), None, &mut zip);
        assert_eq!((all.status, zip.ends_with(b"\0\0")), (200, true));
    }

    #[test]
    fn what_cannot_be_answered_says_why() {
        let (mut desk, opened) = desk("testdata/demo", &json!({ "path": "Elsewhere" }));
        assert_eq!(opened.status, 422, "nothing on disk is opened instead");
        let mut status = |address: &str, body: Option<&[u8]>| desk.ask(address, body, std::io::sink()).status;
        assert_eq!(status("api/rows", Some(b"{}")), 409, "no game is open");
        assert_eq!(status("api/open", Some(b"{")), 400);
        assert_eq!(status("api/rows", None), 404, "the wrong method");
        assert_eq!(status("made/1/x", None), 410);
    }

    #[test]
    fn keys_open_what_is_locked() {
        let open = |keys: &[String]| {
            let (_, opened) = desk("testdata/encrypted", &json!({ "path": "Picked", "keys": keys }));
            value(&opened)
        };
        assert!(!open(&["22".repeat(32)])["locked"].as_array().unwrap().is_empty());
        assert_eq!(open(&["11".repeat(32)])["locked"], json!([]));
    }
}
