//! Levels that are made to hurt.

use crate::levels::Level;
use std::path::{Path, PathBuf};
use uncask::package::legacy::Name;

/// A level of components, each attached to the next, whose template is the next as well; the last is attached to the first.
pub(super) fn attached(n: usize, folder: &Path) -> PathBuf {
    let content = folder.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    let mut level = Level::new();
    let engine = level.import("Package", 0, "/Script/Engine");
    let [world, of_level, actor, component] = ["World", "Level", "StaticMeshActor", "SceneComponent"]
        .map(|class| level.import("Class", engine, class));
    // A world: its level, and no others. A level without a list has the actors in it.
    level.export((world, 0, 0), "A", |_| {}, &[2, 0, 0]);
    level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
    level.export((actor, 2, 0), "Actor", |_| {}, &[]);
    for at in 0..n {
        let next = i32::try_from(4 + (at + 1) % n).unwrap();
        // No list of properties that a construction script has changed.
        let attach = |level: &mut Level| level.object("AttachParent", next);
        level.export((component, 3, next), &format!("Component{at}"), attach, &[0]);
    }
    level.write(&content, "A");
    folder.to_owned()
}

/// Levels, each of which loads the next twice.
pub(super) fn doubling(n: usize, folder: &Path) -> PathBuf {
    let content = folder.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    for at in 0..n {
        let mut level = Level::new();
        let engine = level.import("Package", 0, "/Script/Engine");
        let [world, of_level, actor, component, streaming] =
            ["World", "Level", "StaticMeshActor", "SceneComponent", "LevelStreamingAlwaysLoaded"]
                .map(|class| level.import("Class", engine, class));
        level.export((world, 0, 0), &format!("L{at}"), |_| {}, &[2, 0, 0]);
        level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
        level.export((actor, 2, 0), "Actor", |_| {}, &[]);
        level.export((component, 3, 0), "Root", |_| {}, &[0]);
        for time in 0..2 {
            let next = format!("/Game/L{0}.L{0}", at + 1);
            let loads = |level: &mut Level| {
                level.tag("WorldAsset", "SoftObjectProperty");
                let Name { index, number } = level.name(&next);
                level.body.u32(12).u32(0).u8(0).u32(index).u32(number).u32(0);
            };
            level.export((streaming, 1, 0), &format!("Streaming{time}"), loads, &[]);
        }
        level.write(&content, &format!("L{at}"));
    }
    folder.to_owned()
}

/// A level of many instances of one mesh, and a component that says it has more than there can be.
pub(super) fn instances(n: usize, folder: &Path) -> PathBuf {
    let content = folder.join("Project/Content");
    std::fs::create_dir_all(&content).unwrap();
    let mut level = Level::new();
    let engine = level.import("Package", 0, "/Script/Engine");
    let [world, of_level, actor, component] =
        ["World", "Level", "StaticMeshActor", "InstancedStaticMeshComponent"]
            .map(|class| level.import("Class", engine, class));
    level.export((world, 0, 0), "A", |_| {}, &[2, 0, 0]);
    level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
    level.export((actor, 2, 0), "Actor", |_| {}, &[]);
    let (zero, one) = (0, 1.0_f32.to_bits());
    let matrix = |at: usize| {
        let x = f32::from(u16::try_from(at % 1000).unwrap()).to_bits();
        [one, zero, zero, zero, zero, one, zero, zero, zero, zero, one, zero, x, zero, zero, one]
    };
    // No levels of detail, not cooked; the size of an instance.
    let head = [0, 0, 64];
    let matrices = (0..n).flat_map(matrix);
    // No custom data, of four bytes each.
    let tail: Vec<u32> =
        head.into_iter().chain([u32::try_from(n).unwrap()]).chain(matrices).chain([4, 0]).collect();
    level.export((component, 3, 0), "Many", |_| {}, &tail);
    let lie: Vec<u32> = head.into_iter().chain([i32::MAX.cast_unsigned(), 0, 0]).collect();
    level.export((component, 3, 0), "Lie", |_| {}, &lie);
    level.write(&content, "A");
    folder.to_owned()
}

#[cfg(feature = "cli")]
#[test]
fn the_instances_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    instances(3, folder.path());
    let mut json = std::process::Command::new(env!("CARGO_BIN_EXE_uncask"));
    let said = json.args(["json", "--engine", "4.27"]).arg(folder.path()).output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    // None of them are those of the other component.
    assert_eq!(text.matches("\"PerInstanceSMData\"").count(), 1, "{text}");
    let tree = json.args(["--form", "tree"]).output().unwrap();
    assert_eq!(String::from_utf8(tree.stdout).unwrap().matches("XPlane").count(), 3);
}
