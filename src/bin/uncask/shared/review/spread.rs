//! Room between boxes: pictures have wider nodes than the editor, since their font has one width.

/// Least distance between two boxes.
const GAP: i64 = 24;
/// Most that distances are stretched, in percent. Boxes that lie nearly on one another stay so.
const MOST: i64 = 300;

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodePlace {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// Factors by which distances are stretched, across and down, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch([i64; 2]);

impl Stretch {
    /// Nothing is moved.
    pub(super) const NONE: Self = Self([100; 2]);

    /// The least by which none of these rectangles covers another. The order of rows and columns stays.
    pub(super) fn of(places: &[NodePlace]) -> Self {
        let mut least = [100; 2];
        for (at, one) in places.iter().enumerate() {
            for other in places.iter().skip(at + 1) {
                let across = needed(one, other, [|of| of.left, |of| of.width]);
                let down = needed(one, other, [|of| of.top, |of| of.height]);
                // One direction is enough: the one that has to be stretched less.
                let [least_across, least_down] = &mut least;
                match (across, down) {
                    _ if across <= 100 || down <= 100 => {}
                    _ if across <= down => *least_across = across.max(*least_across),
                    _ => *least_down = down.max(*least_down),
                }
            }
        }
        Self(least.map(|percent| percent.min(MOST)))
    }

    /// Enough for both: two versions of a graph are stretched alike.
    pub(super) fn or(self, Self([across, down]): Self) -> Self {
        let Self([own_across, own_down]) = self;
        Self([own_across.max(across), own_down.max(down)])
    }

    pub(super) fn apply(self, place: &mut NodePlace) {
        let Self([across, down]) = self;
        (place.left, place.top) = (place.left * across / 100, place.top * down / 100);
    }
}

/// Returns the factor, in percent, by which the distance between two rectangles has to be stretched in one direction, so that there is
/// room between them.
fn needed(one: &NodePlace, other: &NodePlace, [start, len]: [fn(&NodePlace) -> i64; 2]) -> i64 {
    let (first, second) = if start(one) <= start(other) { (one, other) } else { (other, one) };
    let distance = start(second) - start(first);
    (100 * (len(first) + GAP)).checked_div(distance).map_or(i64::MAX, |percent| percent + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_out<const N: usize>(places: [[i64; 4]; N]) -> [NodePlace; N] {
        let mut places = places.map(|[left, top, width, height]| NodePlace { left, top, width, height });
        let stretch = Stretch::of(&places);
        for place in &mut places {
            stretch.apply(place);
        }
        places
    }

    #[test]
    fn boxes_that_have_room_stay_where_they_are() {
        let places = spread_out([[0, 0, 100, 40], [130, 0, 100, 40], [0, 70, 100, 40]]);
        assert_eq!(places.map(|place| [place.left, place.top]), [[0, 0], [130, 0], [0, 70]]);
    }

    #[test]
    fn distances_are_stretched_the_way_that_is_shorter() {
        // Side by side, then one above the other.
        let [one, two, three] = spread_out([[0, 0, 100, 40], [100, 0, 100, 40], [0, 50, 100, 40]]);
        assert!(two.left >= one.left + one.width + GAP && two.left < 140, "{two:?}");
        assert!(three.top >= one.top + one.height + GAP && three.top < 80, "{three:?}");
        assert_eq!([one.left, one.top, two.top, three.left], [0; 4]);
    }

    #[test]
    fn boxes_on_one_another_stay_so() {
        let [one, two] = spread_out([[-1_000_000, 7, 100, 40], [-1_000_000, 7, 100, 40]]);
        assert_eq!(one, two);
    }
}
