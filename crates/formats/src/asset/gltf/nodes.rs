use super::super::skeleton::{Bones, Transform};
use super::super::socket::Socket;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::Node;

/// A skeleton as a file: a node for each bone.
pub fn skeleton(name: &str, bones: &Bones) -> Result<Glb, GltfError> {
    let mut builder = Builder::new();
    add_bones(&mut builder, name, bones, &[])?;
    builder.finish()
}

/// Adds a node for each bone, and shows the root. A skeleton with several roots gets one more: glTF wants a common one.
pub(super) fn add_bones(
    builder: &mut Builder,
    name: &str,
    bones: &Bones,
    sockets: &[Socket],
) -> Result<Vec<usize>, GltfError> {
    if bones.0.is_empty() {
        return Err(GltfError::Obstacle("its skeleton has no bones"));
    }
    let nodes: Vec<usize> = bones
        .0
        .iter()
        .map(|bone| push(&mut builder.document.nodes, placed(&bone.name, &bone.pose)))
        .collect();
    let mut roots = Vec::new();
    for (bone, node) in bones.0.iter().zip(&nodes) {
        match bone.parent.and_then(|parent| nodes.get(parent)) {
            Some(parent) => add_child(builder, *parent, *node),
            None => roots.push(*node),
        }
    }
    match roots.as_slice() {
        [root] => builder.show(*root),
        _ => {
            let all = Node { name: format!("{name} bones"), children: roots, ..Node::default() };
            let all = push(&mut builder.document.nodes, all);
            builder.show(all);
        }
    }
    for socket in sockets {
        let bone = socket.bone.as_ref().and_then(|bone| bones.find(bone));
        match bone.and_then(|bone| nodes.get(bone)) {
            Some(bone) => add_socket(builder, *bone, socket),
            None => builder.note("a socket belongs to a bone that the mesh does not have"),
        }
    }
    Ok(nodes)
}

/// Adds an empty node for a socket.
pub(super) fn add_socket(builder: &mut Builder, parent: usize, socket: &Socket) {
    let node = push(&mut builder.document.nodes, placed(&socket.name, &socket.place));
    add_child(builder, parent, node);
}

fn add_child(builder: &mut Builder, parent: usize, child: usize) {
    if let Some(parent) = builder.document.nodes.get_mut(parent) {
        parent.children.push(child);
    }
}

fn placed(name: &str, place: &Transform) -> Node {
    let place = axes::transform(place);
    let finite =
        |numbers: [f64; 3], or: f64| numbers.map(|number| if number.is_finite() { number } else { or });
    Node {
        name: name.to_owned(),
        translation: Some(finite(place.translation, 0.0)),
        rotation: Some(place.rotation),
        scale: Some(finite(place.scale, 1.0)),
        ..Node::default()
    }
}
