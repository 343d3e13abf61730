//! Clips of the Animation Compression Library.

use super::bounds::bounded;
use super::{PER_BYTE, number, part};
use uncask::asset::animation::acl::{AclClip, AclCurves, AclDatabase};

/// Offsets of the lengths and hashes of a database's tiers.
const TIER_LENS: [usize; 2] = [40, 44];
const TIER_HASHES: [usize; 2] = [56, 60];

/// `u32 length │ clip │ u32 length │ database │ u32 length │ medium tier │ low tier`. Hashes are put right first: nothing random has
/// one that is.
pub(super) fn acl(mut data: &[u8]) {
    let len = data.len();
    let mut clip = part(&mut data).to_vec();
    let mut database = part(&mut data).to_vec();
    let tiers = [part(&mut data), data];
    for ((tier, at), hash) in tiers.into_iter().zip(TIER_LENS).zip(TIER_HASHES) {
        let tier_len = number(&mut database.get(at..).unwrap_or_default()) as usize;
        let Some(tier) = tier.get(..tier_len) else { continue };
        put(&mut database, hash, hash_of(tier));
    }
    mend(&mut clip);
    mend(&mut database);
    bounded(len, PER_BYTE, || {
        if let Ok(curves) = AclCurves::parse(&clip) {
            let (keys, components) = (curves.keys(), curves.components());
            let fits = |values: &Vec<f32>| {
                values.len() == components || values.len() as u64 == keys * components as u64
            };
            assert!(curves.decode().iter().all(fits), "a value, or one for each key");
        }
        let Ok(mut clip) = AclClip::parse(&clip) else { return };
        decode(&clip);
        if let Ok(database) = AclDatabase::parse(&database, tiers.map(Some))
            && clip.join(&database).is_ok()
        {
            decode(&clip);
        }
    });
}

fn decode(clip: &AclClip<'_>) {
    let (tracks, keys) = (clip.decode(), clip.keys());
    assert_eq!(tracks.len(), clip.tracks() as usize);
    for track in tracks {
        for len in [track.rotation.values.len(), track.translation.values.len(), track.scale.values.len()] {
            assert!(len <= 1 || len as u64 == keys, "{len} values of {keys} keys");
        }
    }
}

/// Puts the right hash in front of what it is of.
pub fn mend(bytes: &mut [u8]) {
    let len = number(&mut &*bytes) as usize;
    if let Some(hashed) = bytes.get(8..len) {
        let hash = hash_of(hashed);
        put(bytes, 4, hash);
    }
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

fn hash_of(bytes: &[u8]) -> u32 {
    bytes.iter().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619))
}
