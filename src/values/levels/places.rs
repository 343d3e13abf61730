//! Places of components: transforms along their attachments.

use super::level::LevelComponent;
use crate::asset::Transform;
use crate::level::PlaceValues;

/// The most attachments above a component: a crafted one may be attached to itself.
const MAX_DEPTH: usize = 64;

/// The transform that a component has by its own values.
pub(super) fn relative(of: &PlaceValues) -> Transform {
    let none = Transform::IDENTITY;
    Transform {
        rotation: of.rotation.unwrap_or(none.rotation),
        translation: of.location.unwrap_or(none.translation),
        scale: of.scale.unwrap_or(none.scale),
    }
}

/// Gives all components their places. `sockets` are the places that they are attached to, in the space of their parents.
pub(super) fn place_all(components: &mut [LevelComponent], sockets: &[Transform]) {
    let mut places: Vec<Option<Transform>> = vec![None; components.len()];
    for start in 0..components.len() {
        // Upwards to a component whose place is known, then down again.
        let (mut chain, mut at) = (Vec::new(), Some(start));
        while let Some(this) = at.filter(|this| places.get(*this).is_some_and(Option::is_none)) {
            // In a circle, or too deep, the component stands in the level itself.
            if chain.contains(&this) || chain.len() == MAX_DEPTH {
                at = None;
                if let Some(top) = chain.last().and_then(|top| components.get_mut(*top)) {
                    top.component.parent = None;
                }
                break;
            }
            chain.push(this);
            at = components.get(this).and_then(|component| component.component.parent);
        }
        let mut outer = at.and_then(|at| places.get(at).copied().flatten());
        for at in chain.into_iter().rev() {
            let Some(component) = components.get(at) else { continue };
            let own = component.relative;
            let place = match outer {
                Some(outer) => {
                    let socket = sockets.get(at).unwrap_or(&Transform::IDENTITY);
                    placed(&component.component.values.place, own, &socket.within(&outer))
                }
                None => own,
            };
            outer = Some(place);
            if let Some(known) = places.get_mut(at) {
                *known = Some(place);
            }
        }
    }
    for (component, place) in components.iter_mut().zip(places) {
        component.place = place.unwrap_or(Transform::IDENTITY);
    }
}

/// A transform in the space around another one, but for the parts that are absolute.
fn placed(of: &PlaceValues, own: Transform, outer: &Transform) -> Transform {
    let mut place = own.within(outer);
    if of.is_location_absolute == Some(true) {
        place.translation = own.translation;
    }
    if of.is_rotation_absolute == Some(true) {
        place.rotation = own.rotation;
    }
    if of.is_scale_absolute == Some(true) {
        place.scale = own.scale;
    }
    place
}
