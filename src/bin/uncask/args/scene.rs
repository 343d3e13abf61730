//! Options for levels as scenes.

use super::common::OUTPUT;
use clap::{Args, ValueEnum};
use uncask::game::{ClassFilter, HeightForm, InstanceForm, SceneOptions};

#[derive(Debug, Args)]
pub(crate) struct SceneArgs {
    /// What many instances of one mesh become in a scene: instanced (one node, with EXT_mesh_gpu_instancing), or nodes (one for each, for programs without that)
    #[arg(long, value_enum, value_name = "FORM", default_value = "instanced", hide_possible_values = true, help_heading = OUTPUT)]
    instances: InstancesArg,
    /// Pictures of the materials of a scene: png, or none
    #[arg(long, value_enum, value_name = "FORM", default_value = "png", hide_possible_values = true, help_heading = OUTPUT)]
    textures: TexturesArg,
    /// Heights and weights of landscapes beside a scene: png (of 16 and 8 bits, as stored), or exr (floats)
    #[arg(long, value_enum, value_name = "FORM", default_value = "png", hide_possible_values = true, help_heading = OUTPUT)]
    heights: HeightsArg,
    /// Show in a scene only what is in this circle: X, Y and radius, in centimetres as in the editor
    #[arg(long, value_name = "X,Y,RADIUS", value_parser = circle, allow_hyphen_values = true, help_heading = OUTPUT)]
    within: Option<Circle>,
    /// Let a scene have its origin at this point: X, Y and Z, in centimetres
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, help_heading = OUTPUT)]
    origin: Option<Point>,
    /// Take for a scene the best level of detail of each mesh with at most so many triangles
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    max_triangles: Option<u64>,
    /// Show in a scene only components of this class, or in actors of it, such as '*Light*'; may be repeated
    #[arg(id = "scene_classes", long = "classes", value_name = "CLASS", help_heading = OUTPUT)]
    classes: Vec<String>,
    /// Show in a scene what games hide, too
    #[arg(long, help_heading = OUTPUT)]
    hidden: bool,
}

/// Form of instances.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum InstancesArg {
    Instanced,
    Nodes,
}

/// Pictures of materials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TexturesArg {
    Png,
    None,
}

/// Heights and weights of landscapes.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum HeightsArg {
    Png,
    Exr,
}

/// X, Y and radius.
#[derive(Debug, Clone, Copy)]
struct Circle([f64; 3]);

/// X, Y and Z.
#[derive(Debug, Clone, Copy)]
struct Point([f64; 3]);

fn circle(text: &str) -> Result<Circle, String> {
    let Point([x, y, radius]) = point(text)?;
    if radius >= 0.0 { Ok(Circle([x, y, radius])) } else { Err("give a radius of 0 or more".to_owned()) }
}

fn point(text: &str) -> Result<Point, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if [x, y, z].iter().all(|number| number.is_finite()) => Ok(Point([x, y, z])),
        _ => Err("give three numbers, such as 1200,-350,5000".to_owned()),
    }
}

impl SceneArgs {
    /// The options of scenes.
    pub(crate) fn options(&self) -> anyhow::Result<SceneOptions> {
        Ok(SceneOptions {
            instances: match self.instances {
                InstancesArg::Instanced => InstanceForm::Instanced,
                InstancesArg::Nodes => InstanceForm::Nodes,
            },
            textures: self.textures == TexturesArg::Png,
            heights: match self.heights {
                HeightsArg::Png => HeightForm::Png,
                HeightsArg::Exr => HeightForm::Exr,
            },
            hidden: self.hidden,
            within: self.within.map(|Circle(numbers)| numbers),
            origin: self.origin.map(|Point(numbers)| numbers),
            max_triangles: self.max_triangles,
            classes: ClassFilter::new(&self.classes)?,
        })
    }
}
