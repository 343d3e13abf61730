//! Geometry caches as glTF: the first frame of each track.

use super::files::Files;
use super::materials::Materials;
use super::model;
use super::source::Source;
use crate::asset::geometry_cache::CacheMesh;
use crate::asset::gltf::{self, CacheTrack};
use crate::asset::{Asset, GeometryCache, GeometryTrack, read};
use crate::error::{Error, Result};
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::Object;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The codec that stores frames as they are.
const RAW: &str = "GeometryCacheCodecRaw";

/// A track, and the bytes of its first frame.
struct FirstFrame<'a> {
    name: String,
    bytes: Cow<'a, [u8]>,
    first_material: usize,
}

/// Writes the first frame of each track. The text says what was not written, and why.
pub(super) fn write(
    source: &Source<'_, '_>,
    cache: &GeometryCache,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let (mut frames, mut notes, mut first_material) = (Vec::new(), BTreeSet::new(), 0);
    // Real tracks never share frames. Crafted ones may all name one large piece, and would take far more memory than was paid for.
    let limit = source.job.library.bulk_len(source.item).saturating_add(source.item.len);
    let (mut seen, mut total) = (BTreeSet::new(), 0_u64);
    for index in &cache.tracks {
        let PackageRef::Export(at) = index.decode() else { continue };
        if !seen.insert(at) {
            continue;
        }
        let Some(export) = source.loaded.package.exports.get(at as usize) else { continue };
        let fields = Object::read(source.scope, export);
        let track = match read(source.scope, export, &fields).map(|found| found.map(|found| found.asset)) {
            Some(Ok(Asset::GeometryTrack(track))) => track,
            Some(Err(error)) => {
                notes.insert(format!("a track cannot be read: {}", error.reason));
                continue;
            }
            _ => {
                notes.insert("a track is of a class that is not read".to_owned());
                continue;
            }
        };
        match first_frame(source, &track)? {
            Ok(bytes) => {
                total = total.saturating_add(bytes.len() as u64);
                if total > limit {
                    notes.insert("its tracks have more frames than its files hold".to_owned());
                    break;
                }
                frames.push(FirstFrame { name: name(source, export), bytes, first_material });
            }
            Err(note) => drop(notes.insert(note)),
        }
        first_material += usize::try_from(track.materials).unwrap_or(0);
    }
    let tracks = frames.iter().map(|FirstFrame { name, bytes, first_material }| {
        let mesh = CacheMesh::parse(bytes)
            .map_err(Error::malformed("frame of a geometry cache", &source.loaded.path))?;
        Ok(CacheTrack { name: name.clone(), mesh, first_material: *first_material })
    });
    let tracks: Vec<CacheTrack<'_>> = tracks.collect::<Result<_>>()?;
    let slots = cache.materials.iter().enumerate();
    let target = files.target;
    let slots: Vec<gltf::Material> =
        slots.map(|(at, object)| materials.of(source, target, *object, &format!("slot {at}"))).collect();
    notes.extend(model::put(gltf::geometry_cache(&tracks, &slots), "", files)?);
    Ok((!notes.is_empty()).then(|| notes.into_iter().collect::<Vec<_>>().join("; ")))
}

/// The bytes of the first frame of a track, or the reason why there are none.
fn first_frame<'a>(
    source: &Source<'_, 'a>,
    track: &GeometryTrack<'a>,
) -> Result<std::result::Result<Cow<'a, [u8]>, String>> {
    let codec = class_of(source, track.codec);
    if codec != RAW {
        return Ok(Err(format!("frames of {codec} are not read")));
    }
    let Some(chunk) = track.chunks.first() else { return Ok(Err("a track has no frames".to_owned())) };
    Ok(source.bulk(&chunk.data)?.ok_or_else(|| "the data of its frames was not found".to_owned()))
}

fn name(source: &Source<'_, '_>, export: &Export) -> String {
    source.loaded.package.text(export.name).to_string()
}

/// The class of an object of the package.
fn class_of(source: &Source<'_, '_>, object: PackageIndex) -> String {
    let PackageRef::Export(at) = object.decode() else { return "an unknown codec".to_owned() };
    let package = &source.loaded.package;
    let path = package.exports.get(at as usize).map(|export| package.class_path(export)).unwrap_or_default();
    path.rsplit('.').next().unwrap_or_default().to_owned()
}
