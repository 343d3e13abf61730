//! Cameras, with what the engine takes for values that nothing on the way to the native class sets.

use super::values::CameraValues;

/// A camera. It looks along its X axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Camera {
    /// With perspective.
    Perspective {
        /// Vertical angle of view, in radians.
        vertical_angle: f64,
        /// Width divided by height.
        aspect: f64,
    },
    /// Without.
    Orthographic {
        /// Width of the view, in centimetres.
        width: f64,
        /// Width divided by height.
        aspect: f64,
    },
}

impl Camera {
    /// A camera of some values.
    #[must_use]
    pub fn new(of: &CameraValues) -> Self {
        // 16 : 9, as the native class has it.
        const ASPECT: f64 = 1.777_778;
        let positive = |number: Option<f64>| number.filter(|number| *number > 0.0);
        let film = of.film.filter(|[width, height]| *width > 0.0 && *height > 0.0);
        let aspect = film.map(|[width, height]| width / height);
        let aspect = aspect.or_else(|| positive(of.aspect)).unwrap_or(ASPECT);
        if of.projection.as_deref() == Some("Orthographic") {
            return Self::Orthographic { width: positive(of.width).unwrap_or(1536.0), aspect };
        }
        // A film camera has a lens in place of an angle.
        let lens = film.zip(positive(of.focal_length));
        let half_width = match lens {
            Some(([width, _], focal)) => width / (2.0 * focal),
            None => (positive(of.angle).unwrap_or(90.0).min(170.0).to_radians() / 2.0).tan(),
        };
        Self::Perspective { vertical_angle: 2.0 * (half_width / aspect).atan(), aspect }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_vertical() {
        let Camera::Perspective { vertical_angle, aspect } = Camera::new(&CameraValues::default()) else {
            panic!("perspective")
        };
        // 90 degrees across at 16 : 9.
        assert!((vertical_angle.to_degrees() - 58.715).abs() < 0.01, "{}", vertical_angle.to_degrees());
        assert!((aspect - 16.0 / 9.0).abs() < 1e-5);
        let film = CameraValues { film: Some([36.0, 24.0]), focal_length: Some(50.0), ..Default::default() };
        let Camera::Perspective { vertical_angle, .. } = Camera::new(&film) else { panic!("perspective") };
        assert!((vertical_angle.to_degrees() - 26.991).abs() < 0.01, "the usual lens");
    }
}
