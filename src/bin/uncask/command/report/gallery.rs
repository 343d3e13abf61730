//! The gallery of a page: assets, and thumbnails of textures.

use super::place::ReportPlace;
use crate::args::ReportArgs;
use crate::printer::counted;
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use uncask::asset::AssetKind;
use uncask::error::Result;
use uncask::game::{
    DirectorySink, Entry, GalleryAsset, Game, Outcome, OutputNames, OutputPath, Overwrite, ValuesRead, put,
};

/// Bytes of the pictures that one file has at most: browsers open larger ones slowly, if at all.
const MOST_IN_PAGE: u64 = 64 << 20;

/// Of the memory that may be used, the share of pictures that wait for the page: they are in it several times.
const SHARE: u64 = 8;

/// What the page shows of assets.
#[derive(Serialize)]
pub(super) struct Gallery {
    /// The folder beside the page that the pictures are in; without it, the data has them.
    folder: Option<&'static str>,
    /// Pictures that one file has no room for.
    left_out: u64,
    /// The kinds of assets, each with the name for several of it.
    kinds: BTreeMap<&'static str, &'static str>,
    assets: Vec<Card>,
}

/// An asset.
#[derive(Serialize)]
struct Card {
    package: String,
    object: String,
    class: String,
    kind: &'static str,
    /// What it is, in numbers.
    facts: String,
    /// A PNG file, as base64, or its path in the folder.
    picture: Option<String>,
}

/// The folder that thumbnails are in, beside the page.
const FOLDER: &str = "thumbnails";

impl Gallery {
    /// Where the pictures come from, as the policy of a page says it.
    pub(super) fn image_sources(&self) -> &'static str {
        // Browsers differ in what a page that was opened from a disk calls itself.
        if self.folder.is_some() { "'self' file:" } else { "data:" }
    }
}

/// Looks at all packages among some entries, and writes pictures that are files.
pub(super) fn make(
    args: &ReportArgs,
    place: &ReportPlace,
    session: &Session,
    game: &Game,
    entries: &[Entry],
) -> anyhow::Result<(Gallery, Outcome<ValuesRead>)> {
    let options = values::options(&args.properties, &args.store.input, session)?;
    let inputs = game.package_inputs(entries);
    let mut pictures = match &place.folder {
        Some(folder) => Pictures::folder(folder)?,
        None => Pictures::Page { room: MOST_IN_PAGE.min(session.memory() / SHARE), left_out: 0 },
    };
    let mut assets = Vec::new();
    let (watched, progress) = session.watched(game, "packages");
    let take = |asset| {
        assets.push(card(asset, &mut pictures)?);
        Ok(())
    };
    let outcome = session.interruptible(|| watched.gallery(inputs, options, take))?;
    progress.finish();
    summary::failures(session, &outcome);
    // What can be seen comes first.
    assets.sort_by(|a, b| order(a).cmp(&order(b)));
    let (folder, left_out) = match pictures {
        Pictures::Folder { .. } => (Some(FOLDER), 0),
        Pictures::Page { left_out, .. } => (None, left_out),
    };
    if left_out > 0 {
        let pictures = counted(left_out, "thumbnail", "thumbnails");
        session
            .printer
            .warning(&format!("one file has no room for {pictures}; give a folder as -o for all of them"));
    }
    let kinds = AssetKind::ALL.iter().map(|kind| kind.names().into()).collect();
    Ok((Gallery { folder, left_out, kinds, assets }, outcome))
}

fn order(card: &Card) -> (bool, &str, &str) {
    (card.picture.is_none(), &card.package, &card.object)
}

fn card(asset: GalleryAsset, pictures: &mut Pictures) -> Result<Card> {
    let GalleryAsset { package, object, class, summary, thumbnail } = asset;
    let facts = summary.to_string();
    let picture = match thumbnail {
        Some(file) => pictures.take(&package, &object, &file)?,
        None => None,
    };
    Ok(Card { package, object, class, kind: summary.kind().names()[0], facts, picture })
}

/// Where pictures go.
enum Pictures {
    Folder { sink: DirectorySink, names: Box<OutputNames> },
    Page { room: u64, left_out: u64 },
}

impl Pictures {
    fn folder(folder: &Path) -> Result<Self> {
        let sink = DirectorySink::open(&folder.join(FOLDER))?;
        Ok(Self::Folder { sink, names: Box::default() })
    }

    /// What the page has of a picture; `None` if there is no room for it.
    fn take(&mut self, package: &str, object: &str, file: &[u8]) -> Result<Option<String>> {
        match self {
            Self::Folder { sink, names } => {
                let name = format!("{package}.{}.png", object.replace(['/', '\\'], "_"));
                let tag = &blake3::hash(name.as_bytes()).to_hex()[..8];
                let (path, _) = names.claim(OutputPath::sanitize(&name), tag);
                put(sink, &path, file, Overwrite::Always)?;
                Ok(Some(path.to_string()))
            }
            Self::Page { room, left_out } => {
                let text = BASE64_STANDARD.encode(file);
                let Some(rest) = room.checked_sub(text.len() as u64) else {
                    *left_out += 1;
                    return Ok(None);
                };
                *room = rest;
                Ok(Some(text))
            }
        }
    }
}
