//! Gallery of a page: assets, with thumbnails of textures.

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
    DirectorySink, Entry, GalleryAsset, Game, HashTag, Outcome, OutputNames, OutputPath, Overwrite,
    ValuesRead, put,
};

/// The most bytes of pictures in a single file: browsers open larger ones slowly, or not at all.
const MOST_IN_PAGE: u64 = 64 << 20;

/// Divisor of the memory limit: the share for pictures waiting for the page, which holds them several times.
const SHARE: u64 = 8;

/// Data of the gallery.
#[derive(Serialize)]
pub(super) struct Gallery {
    /// Folder of the pictures beside the page; `None` if the data contains them.
    folder: Option<&'static str>,
    /// Number of pictures without room in the file.
    left_out: u64,
    /// Kinds of assets, each with its plural.
    kinds: BTreeMap<&'static str, &'static str>,
    assets: Vec<Card>,
}

/// An asset in the gallery.
#[derive(Serialize)]
struct Card {
    package: String,
    object: String,
    class: String,
    kind: &'static str,
    /// Its summary.
    facts: String,
    /// A PNG file in base64, or its path in the folder.
    picture: Option<String>,
}

/// Name of the folder of thumbnails beside the page.
const FOLDER: &str = "thumbnails";

impl Gallery {
    /// Image sources for the content policy of the page.
    pub(super) fn image_sources(&self) -> &'static str {
        // Browsers disagree on the origin of a page opened from disk, so both are allowed.
        if self.folder.is_some() { "'self' file:" } else { "data:" }
    }
}

/// Reads all packages among some entries, and writes pictures to files if there is a folder.
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
    // Assets that cannot be read are missing on the page, so say why.
    summary::failures(session, &outcome);
    // Assets with pictures come first.
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

/// Destination of pictures.
enum Pictures {
    Folder { sink: DirectorySink, names: Box<OutputNames> },
    Page { room: u64, left_out: u64 },
}

impl Pictures {
    fn folder(folder: &Path) -> Result<Self> {
        let sink = DirectorySink::open(&folder.join(FOLDER))?;
        Ok(Self::Folder { sink, names: Box::default() })
    }

    /// Stores a picture; returns its text for the page, or `None` if there is no room.
    fn take(&mut self, package: &str, object: &str, file: &[u8]) -> Result<Option<String>> {
        match self {
            Self::Folder { sink, names } => {
                let name = format!("{package}.{}.png", object.replace(['/', '\\'], "_"));
                let (path, _) = names.claim(OutputPath::sanitize(&name), HashTag(&name));
                put(sink, &path, file, Overwrite::Always)?;
                Ok(Some(path.to_string()))
            }
            Self::Page { room, left_out } => {
                let text = BASE64_STANDARD.encode(file);
                // A later, smaller picture may still fit.
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
