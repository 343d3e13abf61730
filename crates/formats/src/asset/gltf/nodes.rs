use super::super::skeleton::Bones;
use super::super::socket::Socket;
use super::super::transform::Transform;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::Node;

/// Writes a skeleton as a file: one node per bone.
pub fn skeleton(name: &str, bones: &Bones) -> Result<Glb, GltfError> {
    let mut builder = Builder::new();
    add_bones(&mut builder, name, bones, &[])?;
    builder.finish()
}

/// Adds a node per bone, and adds the root to the scene. A skeleton with several roots gets a common one, as
/// glTF requires.
pub(super) fn add_bones(
    builder: &mut Builder,
    name: &str,
    bones: &Bones,
    sockets: &[Socket],
) -> Result<Vec<usize>, GltfError> {
    let (root, nodes) = add_joints(builder, name, bones)?;
    builder.show(root);
    for socket in sockets {
        // Sockets name their bone; a mesh may lack bones of its skeleton.
        let bone = socket.bone.as_ref().and_then(|bone| bones.find(bone));
        match bone.and_then(|bone| nodes.get(bone)) {
            Some(bone) => add_socket(builder, *bone, socket),
            None => builder.note("a socket belongs to a bone that the mesh does not have"),
        }
    }
    Ok(nodes)
}

/// Adds a node per bone, and returns the root and all nodes.
pub(super) fn add_joints(
    builder: &mut Builder,
    name: &str,
    bones: &Bones,
) -> Result<(usize, Vec<usize>), GltfError> {
    if bones.0.is_empty() {
        return Err(GltfError::Obstacle("its skeleton has no bones"));
    }
    // A node's index is known before its children are: first all nodes, then their edges.
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
    let root = match roots.as_slice() {
        [root] => *root,
        _ => {
            let all = Node { name: format!("{name} bones"), children: roots, ..Node::default() };
            push(&mut builder.document.nodes, all)
        }
    };
    Ok((root, nodes))
}

/// Adds an empty node for a socket.
pub(super) fn add_socket(builder: &mut Builder, parent: usize, socket: &Socket) {
    let node = push(&mut builder.document.nodes, placed(&socket.name, &socket.place));
    add_child(builder, parent, node);
}

pub(super) fn add_child(builder: &mut Builder, parent: usize, child: usize) {
    if let Some(parent) = builder.document.nodes.get_mut(parent) {
        parent.children.push(child);
    }
}

pub(super) fn placed(name: &str, place: &Transform) -> Node {
    let place = axes::transform(place);
    // A number that is not finite would make the whole file invalid.
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
