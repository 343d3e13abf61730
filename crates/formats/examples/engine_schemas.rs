//! Makes the built-in schemas of engine classes: `engine_schemas RELEASE=FILE.usmap… -o engine.schemas.zst`.
//!
//! A class is taken for one of the engine if maps of several games have it. Of a release, it is taken where all maps of that
//! release agree; a release without a map gets what the maps of both its neighbours agree on. The format is that of
//! `property::engine`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use uncask_formats::codec::Scratch;
use uncask_formats::mappings::{Mappings, PropertyType};

/// Number of games that must have a class before it counts as one of the engine.
const GAMES: usize = 3;

/// Definitions of one map, by name: the words of a line after its releases.
type Definitions = BTreeMap<String, Vec<String>>;

/// A map of one game.
struct Map {
    release: (u8, u8),
    structs: Definitions,
    enums: Definitions,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (mut maps, mut out) = (Vec::new(), None);
    while let Some(arg) = args.next() {
        if arg == "-o" {
            out = args.next();
        } else {
            let (release, path) = arg.split_once('=').ok_or("expected RELEASE=FILE.usmap")?;
            let (major, minor) = release.split_once('.').ok_or("expected a release such as 5.4")?;
            let bytes = std::fs::read(path)?;
            let mappings = Mappings::parse_partial(&bytes, &mut Scratch::default())?.value;
            maps.push(Map {
                release: (major.parse()?, minor.parse()?),
                structs: structs(&mappings),
                enums: enums(&mappings),
            });
        }
    }
    maps.sort_by_key(|map| map.release);
    let (text, left_out) = written(&maps);
    let mut log = std::io::stdout().lock();
    for ((major, minor), names) in left_out {
        writeln!(log, "{major}.{minor}: games disagree in {}: {}", names.len(), names.join(" "))?;
    }
    let packed = zstd(text.as_bytes())?;
    writeln!(log, "{} lines, {} bytes, {} compressed", text.lines().count(), text.len(), packed.len())?;
    std::fs::write(out.ok_or("expected -o FILE")?, packed)?;
    Ok(())
}

#[cfg(feature = "zstd")]
fn zstd(text: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    use uncask_formats::codec::{Method, compress};
    let mut packed = u32::try_from(text.len())?.to_le_bytes().to_vec();
    let mut stream = Vec::new();
    compress(Method::Zstd, text, Some(22), &mut stream, &mut Scratch::default())?;
    packed.extend(stream);
    Ok(packed)
}

#[cfg(not(feature = "zstd"))]
fn zstd(_: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    Err("build it with `--features zstd`".into())
}

/// Names of what the games of a release disagree in.
type LeftOut<'m> = BTreeMap<(u8, u8), Vec<&'m str>>;

/// All lines: releases, enums, structs; and what is left out of them.
fn written(maps: &[Map]) -> (String, LeftOut<'_>) {
    let known: BTreeSet<(u8, u8)> = maps.iter().map(|map| map.release).collect();
    // All releases from the first to the last, of which some may have no map.
    let all = [(4, 27)].into_iter().chain((0..=9).map(|minor| (5, minor)));
    let is_between = |release: &(u8, u8)| known.first() <= Some(release) && Some(release) <= known.last();
    let releases: Vec<(u8, u8)> = all.filter(is_between).collect();
    let names: Vec<String> = releases.iter().map(|(major, minor)| format!("{major}.{minor}")).collect();
    let mut text = format!("releases\t{}\n", names.join("\t"));
    let mut left_out = LeftOut::new();
    for (mark, of) in [("E", Map::enums as fn(&Map) -> &Definitions), ("S", Map::structs)] {
        let mut games: BTreeMap<&str, usize> = BTreeMap::new();
        for map in maps {
            for name in of(map).keys().filter(|name| !name.ends_with("_C")) {
                *games.entry(name).or_default() += 1;
            }
        }
        let mut names: Vec<&str> =
            games.into_iter().filter(|(_, count)| *count >= GAMES).map(|(name, _)| name).collect();
        // In the order in which they are searched.
        names.sort_by_cached_key(|name| name.to_lowercase());
        for name in names {
            // Releases by definition.
            let mut variants: BTreeMap<&[String], u32> = BTreeMap::new();
            for (bit, release) in releases.iter().enumerate() {
                let has_it = maps.iter().any(|map| map.release == *release && of(map).contains_key(name));
                match agreed(maps, *release, &known, |map| of(map).get(name)) {
                    Some(found) => *variants.entry(found).or_default() |= 1 << bit,
                    None if has_it => left_out.entry(*release).or_default().push(name),
                    None => {}
                }
            }
            for (words, mask) in variants {
                let line = [&[mark.to_owned(), format!("{mask:x}"), name.to_owned()], words].concat();
                text.push_str(&line.join("\t"));
                text.push('\n');
            }
        }
    }
    (text, left_out)
}

impl Map {
    fn enums(&self) -> &Definitions {
        &self.enums
    }

    fn structs(&self) -> &Definitions {
        &self.structs
    }
}

/// The definition that all maps of a release have, or both neighbours of one without a map.
fn agreed<'m>(
    maps: &'m [Map],
    release: (u8, u8),
    known: &BTreeSet<(u8, u8)>,
    of: impl Fn(&'m Map) -> Option<&'m Vec<String>>,
) -> Option<&'m [String]> {
    let of_release = |release: (u8, u8)| {
        let mut found = maps.iter().filter(|map| map.release == release).filter_map(&of);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first.as_slice())
    };
    if known.contains(&release) {
        return of_release(release);
    }
    let before = of_release(*known.range(..release).next_back()?)?;
    let after = of_release(*known.range(release..).next()?)?;
    (before == after).then_some(before)
}

fn enums(mappings: &Mappings) -> Definitions {
    let mut found: Definitions = mappings
        .enums()
        .map(|of| {
            (of.name().into_owned(), of.values().map(|value| value_word(value.value, &value.name)).collect())
        })
        .collect();
    for (name, values) in mappings.explicit_values() {
        found
            .insert(name.into_owned(), values.iter().map(|(value, name)| value_word(*value, name)).collect());
    }
    found
}

fn value_word(value: i64, name: &str) -> String {
    format!("{}={value}", name.rsplit("::").next().unwrap_or(name))
}

fn structs(mappings: &Mappings) -> Definitions {
    mappings
        .structs()
        .map(|of| {
            let mut words = vec![
                of.super_name().map_or_else(|| "-".to_owned(), std::borrow::Cow::into_owned),
                of.element_count().to_string(),
            ];
            let mut next = 0;
            for property in of.properties() {
                let place =
                    if property.index == next { String::new() } else { format!("{}@", property.index) };
                let elements = match property.array_len {
                    0 | 1 => String::new(),
                    elements => format!("*{elements}"),
                };
                words.push(format!("{place}{}{elements}:{}", property.name, type_word(&property.kind)));
                next = property.index + property.array_len.max(1);
            }
            (of.name().into_owned(), words)
        })
        .collect()
}

/// A type in the form of built-in schemas, such as `Array(Struct(Vector))`.
fn type_word(kind: &PropertyType<'_>) -> String {
    let name = |name: &Option<std::borrow::Cow<'_, str>>| name.as_deref().unwrap_or_default().to_owned();
    match kind {
        PropertyType::Plain(kind) => kind.name().map_or_else(|| "?".to_owned(), str::to_owned),
        PropertyType::Struct(of) => format!("Struct({})", name(of)),
        PropertyType::Enum(of, under) => format!("Enum({},{})", name(of), type_word(under)),
        PropertyType::Array(of) => format!("Array({})", type_word(of)),
        PropertyType::Set(of) => format!("Set({})", type_word(of)),
        PropertyType::Optional(of) => format!("Optional({})", type_word(of)),
        PropertyType::Map(key, value) => format!("Map({},{})", type_word(key), type_word(value)),
    }
}
