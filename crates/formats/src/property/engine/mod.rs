//! Built-in schemas: the engine's own classes, structs and enums of some releases, for games without mappings.
//!
//! ```text
//! file      u32 length of the text │ text, as one Zstandard frame
//! text      lines of words, separated by tabs, of each kind in the order of their names in lower case:
//!           releases │ 4.27 │ 5.0 │ …
//!           E │ releases │ name │ value=number …                   an enum
//!           S │ releases │ name │ base, or - │ elements │ property …  a struct or class
//! releases  hexadecimal; bit n stands for the release at place n of the first line
//! property  name:type │ first@name*elements:type                    where it does not follow, or is a fixed array
//! type      Int │ Struct(name) │ Enum(name,type) │ Array(type) │ Set(type) │ Map(type,type) │ Optional(type) │ …
//! ```
//!
//! Releases 4.27 to 5.8. Made from mappings of twelve games by the example `engine_schemas`: a class counts as one of the
//! engine if three games have it, and is left out of a release in which two games disagree, as studios change the engine.
//! For 5.0 and 5.2 there are no mappings, and what both releases beside them have is taken.
//!
//! A game may have a changed engine, so its own mappings are better; properties that do not end where they should are
//! reported as with wrong mappings.

pub(super) mod classes;
mod likeness;
mod text;

pub use likeness::release_of_classes;

use super::schemas::Schemas;
use crate::codec::{Method, Scratch, decode};
use crate::version::Release;
use classes::EngineClasses;
use std::sync::OnceLock;
use text::Text;

/// The file; empty in a build without them.
#[cfg(feature = "engine-schemas")]
static FILE: &[u8] = include_bytes!("../../../data/engine.schemas.zst");
#[cfg(not(feature = "engine-schemas"))]
static FILE: &[u8] = &[];

/// The largest number of releases in the file: the bits of a mask.
const MAX_RELEASES: usize = 32;

/// The schemas of each release, made on first use.
static KNOWN: [OnceLock<Schemas>; MAX_RELEASES] = [const { OnceLock::new() }; MAX_RELEASES];

/// The text, unpacked on first use. Its lines are found by their names, and parsed when they are needed: a package needs
/// few of them.
static TEXT: OnceLock<Text> = OnceLock::new();

/// The built-in schemas of a release; `None` if there are none of it, or the feature `engine-schemas` is off.
#[must_use]
pub fn engine_schemas(release: &Release) -> Option<&'static Schemas> {
    let place = text().releases().position(|name| name == release.name)?;
    Some(KNOWN.get(place)?.get_or_init(|| Schemas::of_engine(EngineClasses::new(text(), place))))
}

fn text() -> &'static Text {
    TEXT.get_or_init(|| Text::new(unpack()))
}

/// The text of the file; empty if it is damaged, which a test excludes.
fn unpack() -> String {
    let Some((len, stream)) = FILE.split_first_chunk() else { return String::new() };
    let mut text = vec![0; u32::from_le_bytes(*len) as usize];
    match decode(Method::Zstd, stream, &mut text, &mut Scratch::default()) {
        Ok(()) => String::from_utf8(text).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

#[cfg(all(test, feature = "engine-schemas"))]
mod tests {
    use super::*;
    use crate::property::{Kind, Plain};

    fn release(name: &str) -> &'static Schemas {
        Release::from_name(name).and_then(engine_schemas).expect("a release with built-in schemas")
    }

    #[test]
    fn the_file_is_small_and_whole() {
        assert!(FILE.len() <= 600 << 10, "{}", FILE.len());
        let text = unpack();
        assert!(text.lines().count() > 10_000);
        let text = Text::new(text);
        let releases: Vec<&str> = text.releases().collect();
        assert_eq!(releases, ["4.27", "5.0", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8"]);
    }

    /// Facts of the engine's own headers.
    #[test]
    fn classes_have_the_members_of_their_release() {
        let members = |release: &Schemas, class: &str| -> Vec<String> {
            release.schema(class).unwrap().slots.iter().map(|slot| slot.name.to_string()).collect()
        };
        assert_eq!(members(release("5.8"), "Vector"), ["X", "Y", "Z"]);
        let has_lpv =
            |name: &str| members(release(name), "StaticMesh").contains(&"LpvBiasMultiplier".to_owned());
        assert!(has_lpv("4.27") && !has_lpv("5.4"));
        let base = |class: &str| release("5.4").schema(class).unwrap().base.clone().unwrap().name;
        assert_eq!(
            (&*base("AnimSequence"), &*base("AnimSequenceBase")),
            ("AnimSequenceBase", "AnimationAsset")
        );
        let axis = |name: &str| release(name).schema("Vector").unwrap().slots[0].kind.clone();
        assert!(matches!(*axis("5.4"), Kind::Plain(Plain::Double)));
        assert!(matches!(*axis("4.27"), Kind::Plain(Plain::Float)));
        let values = release("5.4").enumeration("TextureAddress").unwrap();
        assert_eq!(values.name_of(1), Some("TA_Clamp"));
        assert!(engine_schemas(Release::from_name("4.20").unwrap()).is_none());
        assert!(engine_schemas(Release::from_name("6.0").unwrap()).is_none());
    }
}
