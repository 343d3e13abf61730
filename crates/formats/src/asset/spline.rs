//! Meshes that are bent along a curve.

/// Curve that a mesh is bent along: its ends, and how the mesh is turned and scaled on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplineBend {
    /// Both ends, in centimetres.
    pub ends: [SplineEnd; 2],
    /// Axis of the mesh that runs along the curve: 0 for X, 1 for Y, 2 for Z.
    pub axis: usize,
    /// Direction that is up along the whole curve.
    pub up: [f64; 3],
    /// Where the mesh begins and ends along its axis, in centimetres; `None` for its bounds.
    pub range: Option<[f64; 2]>,
    /// True if scale, roll and offset change slowly near the ends.
    pub is_smooth: bool,
}

/// End of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplineEnd {
    /// Its place.
    pub position: [f64; 3],
    /// Direction of the curve, as long as it is strong.
    pub tangent: [f64; 3],
    /// Scale of the mesh across the curve.
    pub scale: [f64; 2],
    /// Turn of the mesh about the curve, in radians.
    pub roll: f64,
    /// Distance of the mesh from the curve, across it.
    pub offset: [f64; 2],
}

impl Default for SplineEnd {
    fn default() -> Self {
        // What the engine's own struct begins with.
        let tangent = [100.0, 0.0, 0.0];
        Self { position: [0.0; 3], tangent, scale: [1.0; 2], roll: 0.0, offset: [0.0; 2] }
    }
}

impl Default for SplineBend {
    fn default() -> Self {
        let end = SplineEnd { position: [100.0, 0.0, 0.0], ..SplineEnd::default() };
        Self {
            ends: [SplineEnd::default(), end],
            axis: 0,
            up: [0.0, 0.0, 1.0],
            range: None,
            is_smooth: false,
        }
    }
}

/// Cross section of a bent mesh: where it is, and its axes, of which the two across are scaled.
struct Slice {
    position: [f64; 3],
    along: [f64; 3],
    across: [[f64; 3]; 2],
    scale: [f64; 2],
}

impl SplineBend {
    /// The two axes across that of the mesh, in the order of the scales.
    const fn others(&self) -> [usize; 2] {
        match self.axis {
            0 => [1, 2],
            1 => [2, 0],
            _ => [0, 1],
        }
    }

    /// Bends a vertex with its directions. `bounds` are the lowest and highest place of the mesh along its axis.
    pub fn vertex(
        &self,
        position: [f64; 3],
        bounds: [f64; 2],
    ) -> ([f64; 3], impl Fn([f64; 3]) -> [f64; 3] + use<>) {
        let [low, high] = self.range.unwrap_or(bounds);
        let (axis, others) = (self.axis, self.others());
        let length = high - low;
        let at = if length.abs() > f64::EPSILON { (part(position, axis) - low) / length } else { 0.0 };
        let slice = self.slice(at);
        let mut moved = slice.position;
        for ((of, scale), axis) in slice.across.iter().zip(slice.scale).zip(others) {
            moved = sum(moved, times(*of, scale * part(position, axis)));
        }
        let turned = move |direction: [f64; 3]| {
            let along = times(slice.along, part(direction, axis));
            let across = slice.across.iter().zip(others);
            unit(across.fold(along, |all, (of, axis)| sum(all, times(*of, part(direction, axis)))))
        };
        (moved, turned)
    }

    /// The cross section at a fraction of the curve.
    fn slice(&self, at: f64) -> Slice {
        let [start, end] = &self.ends;
        let (square, cube) = (at * at, at * at * at);
        let weighed = |weights: [f64; 4]| {
            let points = [start.position, start.tangent, end.position, end.tangent];
            points
                .into_iter()
                .zip(weights)
                .fold([0.0; 3], |all, (point, weight)| sum(all, times(point, weight)))
        };
        let position = weighed([
            2.0 * cube - 3.0 * square + 1.0,
            cube - 2.0 * square + at,
            3.0 * square - 2.0 * cube,
            cube - square,
        ]);
        let along = unit(weighed([
            6.0 * square - 6.0 * at,
            3.0 * square - 4.0 * at + 1.0,
            6.0 * at - 6.0 * square,
            3.0 * square - 2.0 * at,
        ]));
        let right = unit(cross(self.up, along));
        let above = unit(cross(along, right));
        let share =
            if self.is_smooth { at.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * at.clamp(0.0, 1.0)) } else { at };
        let mixed = |from: f64, to: f64| from + (to - from) * share;
        let pair = |from: [f64; 2], to: [f64; 2]| {
            let ([a, b], [c, d]) = (from, to);
            [mixed(a, c), mixed(b, d)]
        };
        let [offset_right, offset_up] = pair(start.offset, end.offset);
        let (sin, cos) = mixed(start.roll, end.roll).sin_cos();
        Slice {
            position: sum(position, sum(times(right, offset_right), times(above, offset_up))),
            along,
            across: [sum(times(right, cos), times(above, -sin)), sum(times(above, cos), times(right, sin))],
            scale: pair(start.scale, end.scale),
        }
    }
}

fn part(of: [f64; 3], axis: usize) -> f64 {
    of.get(axis).copied().unwrap_or_default()
}

fn sum([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

fn times(of: [f64; 3], by: f64) -> [f64; 3] {
    of.map(|part| part * by)
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// The vector with length 1, or zero if it has none.
fn unit(of: [f64; 3]) -> [f64; 3] {
    let length = of.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 1e-12 { times(of, length.recip()) } else { [0.0; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: [f64; 3], expected: [f64; 3]) {
        let distance: f64 = found.iter().zip(expected).map(|(one, other)| (one - other).abs()).sum();
        assert!(distance < 1e-9, "{found:?} {expected:?}");
    }

    #[test]
    fn a_straight_curve_as_long_as_the_mesh_changes_nothing() {
        let bend = SplineBend::default();
        for position in [[0.0, 0.0, 0.0], [30.0, 5.0, -7.0], [100.0, -1.0, 2.0]] {
            let (moved, turned) = bend.vertex(position, [0.0, 100.0]);
            near(moved, position);
            near(turned([0.0, 1.0, 0.0]), [0.0, 1.0, 0.0]);
            near(turned([1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn ends_have_their_place_direction_scale_and_roll() {
        let end = SplineEnd {
            position: [100.0, 100.0, 0.0],
            tangent: [0.0, 200.0, 0.0],
            scale: [2.0, 3.0],
            roll: std::f64::consts::FRAC_PI_2,
            offset: [0.0, 10.0],
        };
        let start = SplineEnd { tangent: [200.0, 0.0, 0.0], ..SplineEnd::default() };
        let bend = SplineBend { ends: [start, end], ..SplineBend::default() };
        // At the end the curve runs along Y, so that right is −X; a quarter turn makes the mesh's right look down.
        let (moved, turned) = bend.vertex([50.0, 4.0, 0.0], [0.0, 50.0]);
        near(moved, [100.0, 100.0, 10.0 - 8.0]);
        near(turned([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        near(turned([0.0, 1.0, 0.0]), [0.0, 0.0, -1.0]);
        let (moved, _) = bend.vertex([50.0, 0.0, 1.0], [0.0, 50.0]);
        near(moved, [100.0 - 3.0, 100.0, 10.0]);
    }

    #[test]
    fn any_axis_of_the_mesh_runs_along_the_curve() {
        for axis in 0..3 {
            let bend = SplineBend { axis, range: Some([0.0, 10.0]), ..SplineBend::default() };
            let mut position = [0.0; 3];
            position[axis] = 5.0;
            let (moved, turned) = bend.vertex(position, [0.0, 1.0]);
            near(moved, [50.0, 0.0, 0.0]);
            let mut ahead = [0.0; 3];
            ahead[axis] = 1.0;
            near(turned(ahead), [1.0, 0.0, 0.0]);
        }
    }
}
