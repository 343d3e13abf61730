//! Choice of the components that a scene shows.

use super::counts::{SceneCounts, UnshownReason};
use crate::asset::{SplineBend, Transform};
use crate::export::options::SceneOptions;
use crate::level::{ComponentKind, Link};
use crate::package::ObjectPath;
use crate::scene::{Level, LevelComponent, World};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The components that a scene shows, and their meshes and materials.
pub(super) struct Shown {
    /// Components by the place of their level, in order.
    pub(super) components: BTreeMap<usize, Vec<usize>>,
    /// Places of levels in the world.
    pub(super) places: Vec<Transform>,
    /// Meshes of all of them, each once, in the order of their first component; one that is bent counts for itself.
    pub(super) meshes: Vec<WantedMesh>,
    /// Their positions, by path in lower case, with the curve of those that are bent.
    by_path: HashMap<String, usize>,
    /// Materials that take the place of those of meshes, each once.
    pub(super) materials: Vec<ObjectPath>,
    material_by_path: HashMap<String, usize>,
    /// Whole landscapes.
    pub(super) landscapes: Vec<Landscape>,
    /// Counts of what is shown and skipped.
    pub(super) counts: SceneCounts,
}

/// A mesh that a scene shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WantedMesh {
    /// Its path.
    pub(super) path: ObjectPath,
    /// The curve that it is bent along.
    pub(super) bend: Option<SplineBend>,
}

/// A landscape, of all actors that have parts of it.
pub(super) struct Landscape {
    /// Its name in files.
    pub(super) name: String,
    /// Its identity.
    key: String,
    /// Its components: level, component, first quad and quads along a side.
    components: Vec<(usize, usize, [i32; 2], i32)>,
}

/// A component of a landscape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LandscapeComponent {
    /// Position of the landscape.
    pub(super) landscape: usize,
    /// Position of its level in the world.
    pub(super) level: usize,
    /// Position in the level.
    pub(super) component: usize,
    /// First quad in the whole landscape.
    pub(super) first: [i32; 2],
    /// First quad of the whole landscape, and its size in quads.
    pub(super) whole: [[i32; 2]; 2],
}

impl Shown {
    /// Chooses components of a world, for a job with so much memory.
    pub(super) fn new(world: &World, options: &SceneOptions, memory: u64) -> Self {
        let mut this = Self {
            components: BTreeMap::new(),
            places: world.places(),
            meshes: Vec::new(),
            by_path: HashMap::new(),
            materials: Vec::new(),
            material_by_path: HashMap::new(),
            landscapes: Vec::new(),
            counts: SceneCounts::default(),
        };
        let mut left = allowance(world, memory);
        for (at, standing) in world.standing.iter().enumerate() {
            let Some(level) = world.levels.get(standing.level).map(|level| &level.level) else { continue };
            let place = this.places.get(at).copied().unwrap_or(Transform::IDENTITY);
            for (number, component) in level.components.iter().enumerate() {
                let weight = weight(component);
                let too_many = (weight > left).then_some(UnshownReason::TooMany);
                match skipped(level, component, (&place, options)).or(too_many) {
                    Some(reason) => this.counts.skip(reason, &component.component.class),
                    None => {
                        left -= weight;
                        this.counts.show(&component.component.class);
                        this.components.entry(at).or_default().push(number);
                        this.want(component);
                        this.want_landscape((standing.level, level), number, component);
                    }
                }
            }
        }
        if let Some(origin) = options.origin {
            let moved = Transform { translation: origin.map(|part| -part), ..Transform::IDENTITY };
            this.places.iter_mut().for_each(|place| *place = place.within(&moved));
        }
        for level in &world.levels {
            for (class, count) in &level.level.unread {
                *this.counts.unread.entry(class.clone()).or_default() += count;
            }
        }
        this.counts.levels = world.standing.len() as u64;
        this
    }

    /// Asks for the mesh and the materials of a component.
    fn want(&mut self, of: &LevelComponent) {
        let Some(mesh) = mesh_of(of) else { return };
        let next = self.meshes.len();
        if *self.by_path.entry(mesh_key(of, mesh)).or_insert(next) == next {
            self.meshes.push(WantedMesh { path: mesh.clone(), bend: bend_of(of) });
        }
        for Link(material) in of.component.values.mesh.materials.iter().flatten() {
            let Some(material) = material else { continue };
            let next = self.materials.len();
            if *self.material_by_path.entry(key(material)).or_insert(next) == next {
                self.materials.push(material.clone());
            }
        }
    }

    /// Asks for a component of a landscape.
    fn want_landscape(&mut self, (at, level): (usize, &Level), number: usize, of: &LevelComponent) {
        if of.component.kind != ComponentKind::Landscape {
            return;
        }
        let values = &of.component.values.landscape;
        let actor = level.actors.get(of.component.actor);
        let guid = actor.and_then(|actor| actor.values.landscape.guid.clone());
        let own = || format!("{} {}", level.package, of.component.actor);
        let key = guid.unwrap_or_else(own);
        let landscape = self.landscapes.iter().position(|landscape| landscape.key == key);
        let landscape = landscape.unwrap_or_else(|| {
            // Parts of a partitioned world have names that nobody chose.
            let name = match self.landscapes.len() {
                0 => "Landscape".to_owned(),
                count => format!("Landscape_{count}"),
            };
            self.landscapes.push(Landscape { name, key, components: Vec::new() });
            self.landscapes.len() - 1
        });
        let first = [values.first_x, values.first_y].map(|quad| whole(quad.unwrap_or_default()));
        let quads = whole(values.quads.unwrap_or_default());
        if let Some(landscape) = self.landscapes.get_mut(landscape) {
            // A level that stands twice has the component once.
            let component = (at, number, first, quads);
            if !landscape.components.contains(&component) {
                landscape.components.push(component);
            }
        }
    }

    /// Components of landscapes by level.
    pub(super) fn landscape_components(&self) -> Vec<(usize, Vec<LandscapeComponent>)> {
        let mut levels: BTreeMap<usize, Vec<LandscapeComponent>> = BTreeMap::new();
        for (landscape, of) in self.landscapes.iter().enumerate() {
            let whole = of.whole();
            for (level, component, first, _) in of.components.iter().copied() {
                let component = LandscapeComponent { landscape, level, component, first, whole };
                levels.entry(level).or_default().push(component);
            }
        }
        levels.into_iter().collect()
    }

    /// The position of a component's mesh.
    pub(super) fn mesh(&self, of: &LevelComponent, path: &ObjectPath) -> Option<usize> {
        self.by_path.get(&mesh_key(of, path)).copied()
    }

    /// The position of a material.
    pub(super) fn material(&self, path: &ObjectPath) -> Option<usize> {
        self.material_by_path.get(&key(path)).copied()
    }
}

/// Bytes of memory for a node or an instance. A small level may stand in another one any number of times, and any number of
/// components may take their instances from one template: there are as many as are stored, or as many as there is memory for.
const NODE: u64 = 1024;

/// Nodes and instances of a component.
fn weight(of: &LevelComponent) -> u64 {
    1 + of.component.values.instances.as_ref().map_or(0, |instances| instances.matrices.len() as u64)
}

/// The most nodes and instances that a scene of a world may have.
fn allowance(world: &World, memory: u64) -> u64 {
    let mut seen = HashSet::new();
    let mut stored = 0;
    for component in world.levels.iter().flat_map(|level| &level.level.components) {
        let instances = component.component.values.instances.as_ref();
        let is_new = instances.is_none_or(|instances| seen.insert(Arc::as_ptr(instances)));
        stored += if is_new { weight(component) } else { 1 };
    }
    stored.max(memory / NODE)
}

impl Landscape {
    /// Its first quad, and its size in quads.
    pub(super) fn whole(&self) -> [[i32; 2]; 2] {
        let axis = |axis: usize| {
            let starts =
                self.components.iter().map(|(_, _, first, _)| first.get(axis).copied().unwrap_or_default());
            let start = starts.clone().min().unwrap_or_default();
            let ends = starts.zip(&self.components).map(|(start, (.., quads))| start.saturating_add(*quads));
            (start, ends.max().unwrap_or_default().saturating_sub(start))
        };
        let ([start_x, size_x], [start_y, size_y]) = (<[i32; 2]>::from(axis(0)), <[i32; 2]>::from(axis(1)));
        [[start_x, start_y], [size_x, size_y]]
    }
}

/// The nearest whole number.
#[expect(clippy::cast_possible_truncation, reason = "it was a whole number of 32 bits")]
const fn whole(number: f64) -> i32 {
    number as i32
}

/// The reason for leaving out a component; `None` for one that is shown.
fn skipped(
    level: &Level,
    of: &LevelComponent,
    (place, options): (&Transform, &SceneOptions),
) -> Option<UnshownReason> {
    let (component, actor) = (&of.component, level.actors.get(of.component.actor));
    if !options.classes.is_empty() {
        let is_wanted = options.classes.matches(&component.class)
            || actor.is_some_and(|actor| options.classes.matches(&actor.class));
        if !is_wanted {
            return Some(UnshownReason::OtherClass);
        }
    } else if actor.is_some_and(|actor| actor.is_lod) {
        return Some(UnshownReason::LevelOfDetail);
    } else {
        match component.kind {
            ComponentKind::Effect => return Some(UnshownReason::NoForm),
            kind if !kind.is_shown() => return Some(UnshownReason::NotDrawn),
            _ => {}
        }
    }
    if !options.hidden && !level.is_visible(component) {
        return Some(UnshownReason::Hidden);
    }
    if has_mesh(component.kind) && mesh_of(of).is_none() {
        return Some(UnshownReason::NoMesh);
    }
    // Instances are looked at one by one.
    let is_one = component.values.instances.is_none();
    (is_one && !is_within(options, &of.place.within(place))).then_some(UnshownReason::Outside)
}

/// True if a place is in the circle that was asked for.
pub(super) fn is_within(options: &SceneOptions, place: &Transform) -> bool {
    let Some([x, y, radius]) = options.within else { return true };
    let [own_x, own_y, _] = place.translation;
    (own_x - x).hypot(own_y - y) <= radius
}

const fn has_mesh(kind: ComponentKind) -> bool {
    use ComponentKind::{Instances, SkeletalMesh, SplineMesh, StaticMesh};
    matches!(kind, StaticMesh | Instances | SplineMesh | SkeletalMesh)
}

/// The mesh of a component.
pub(super) fn mesh_of(of: &LevelComponent) -> Option<&ObjectPath> {
    match &of.component.values.mesh.mesh {
        Some(Link(path)) if has_mesh(of.component.kind) => path.as_ref(),
        _ => None,
    }
}

/// The curve of a component.
fn bend_of(of: &LevelComponent) -> Option<SplineBend> {
    (of.component.kind == ComponentKind::SplineMesh).then(|| of.component.values.spline.bend())
}

/// The key of a component's mesh.
fn mesh_key(of: &LevelComponent, path: &ObjectPath) -> String {
    match bend_of(of) {
        Some(bend) => format!("{} {bend:?}", key(path)),
        None => key(path),
    }
}

fn key(path: &ObjectPath) -> String {
    path.to_string().to_lowercase()
}
