//! Parts of static meshes that have no use outside the engine, skipped to find what follows.

use super::super::super::Payload;
use super::super::common::{list, skip_list};
use super::section::StaticSection;
use crate::wire::Fault;

const NO_DISTANCE_FIELDS: u8 = 1;
const NO_CARDS: u8 = 2;

/// Skips `FStaticMeshRayTracingProxy`: separate levels of detail for ray tracing.
pub(super) fn ray_tracing_proxy(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    let strip = payload.strip_flags()?;
    payload.r.bool32("proxy uses levels of detail")?;
    if strip.is_audio_visual_data_stripped() {
        return Ok(());
    }
    let has_summary = payload.versions.has_ray_tracing_header();
    list(payload, "levels of a proxy", 8, |payload| {
        let has_buffers = payload.r.bool32("proxy has buffers")?;
        if has_buffers {
            list(payload, "sections of a proxy", StaticSection::MIN_LEN, StaticSection::read)?;
        }
        let has_ray_tracing = payload.r.bool32("proxy has ray tracing data")?;
        payload.r.when(has_summary, |r| r.bool32("buffers are inlined"))?;
        payload.bulk()?;
        payload.r.when(has_summary && has_buffers, |r| r.array::<44>("summary of buffers"))?;
        payload.r.when(has_summary && has_ray_tracing, |r| r.array::<32>("summary of ray tracing data"))?;
        Ok(())
    })
    .map(drop)
}

/// Skips `FCardRepresentationData`: rectangles around the mesh, for global illumination.
pub(super) fn cards(payload: &mut Payload<'_, '_>, lods: usize) -> Result<(), Fault> {
    let strip = payload.strip_flags()?;
    if strip.is_audio_visual_data_stripped() || strip.is_class_data_stripped(NO_CARDS) {
        return Ok(());
    }
    // There is no count: one entry per level of detail.
    for _ in 0..lods {
        if payload.r.bool32("cards are there")? {
            let versions = payload.versions;
            payload.r.array::<49>("bounds of cards")?;
            payload.r.when(versions.has_card_lods(), |r| r.i32("lowest level of cards"))?;
            payload.r.when(versions.has_two_sided_cards(), |r| r.bool32("cards are mostly two-sided"))?;
            skip_list(payload, "cards", if versions.has_card_lods() { 62 } else { 61 })?;
        }
    }
    Ok(())
}

/// Skips `FDistanceFieldVolumeData`: distances of points in space from the surface.
pub(super) fn distance_fields(payload: &mut Payload<'_, '_>, lods: usize) -> Result<(), Fault> {
    let strip = payload.strip_flags()?;
    if strip.is_audio_visual_data_stripped() || strip.is_class_data_stripped(NO_DISTANCE_FIELDS) {
        return Ok(());
    }
    for _ in 0..lods {
        if payload.r.bool32("distance field is there")? {
            distance_field(payload)?;
        }
    }
    Ok(())
}

fn distance_field(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    let versions = payload.versions;
    if !versions.has_nanite() {
        payload.byte_array("compressed distance field")?;
        // Size, box, range of distances, three flags: UE4's only form.
        payload.r.array::<57>("head of a distance field")?;
        return Ok(());
    }
    // A box, and for each of three mips 4 numbers, 8 reals, 2 numbers; reals are floats since 5.4.
    let (bounds, mip) = if versions.has_float_distance_fields() { (25, 56) } else { (49, 88) };
    payload.r.bytes("bounds of a distance field", bounds)?;
    payload.r.bool32("distance field is mostly two-sided")?;
    payload.r.bytes("mips of a distance field", 3 * mip)?;
    payload.byte_array("bricks that are always there")?;
    payload.bulk().map(drop)
}
