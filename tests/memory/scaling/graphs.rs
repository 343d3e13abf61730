//! Graphs whose nodes are made to hurt: put in order and named.

use super::{Allowance, Meter, Scale, in_process};
use std::time::Duration;
use uncask::graph::{Graph, GraphKind, Labels, Link, Node, Pin, in_order};
use uncask::id::Guid;

/// Bytes of a node with four pins in a file; real ones take more.
const NODE: usize = 600;

/// A node becomes names in several maps.
const NAMED: Allowance = Allowance { floor: 1 << 20, per_byte: 4 };

/// The first size. Up to here, each step comes to wait for memory, and a node takes four times as long as in a graph of 4,000
/// nodes, which fit the processor's caches; after it, no longer.
const FIRST: usize = 128_000;

/// A graph of `n` nodes of one title; each executes the first one, and gives it a value.
fn graph(n: usize) -> Graph {
    let number = |at: usize| u32::try_from(at).unwrap();
    let pin = |name: &str, [is_output, is_exec]: [bool; 2], links: Vec<Link>| Pin {
        id: None,
        name: name.to_owned(),
        is_output,
        is_exec,
        is_hidden: false,
        of: "exec".to_owned(),
        value: None,
        links,
    };
    let mut nodes: Vec<Node> = (0..n)
        .map(|at| Node {
            export: number(at),
            name: format!("K2Node_CallFunction_{at}"),
            id: Some(Guid(u128::try_from(at).unwrap().to_le_bytes())),
            class: "K2Node_CallFunction".to_owned(),
            title: "CallFunction KismetSystemLibrary.PrintString".to_owned(),
            comment: String::new(),
            is_disabled: false,
            position: [0, 0],
            // Every third node only computes a value.
            pins: vec![
                pin("execute", [false, at % 3 > 0], Vec::new()),
                pin("In", [false, false], Vec::new()),
                pin("then", [true, at % 3 > 0], Vec::new()),
                pin("Out", [true, false], Vec::new()),
            ],
            parameters: Vec::new(),
        })
        .collect();
    for at in 0..n {
        for pins in [[2, 0], [3, 1]] {
            let [from, input] = pins.map(number);
            nodes[at].pins[pins[0]].links.push(Link { node: Some(0), pin: Some(input) });
            nodes[0].pins[pins[1]].links.push(Link { node: Some(number(at)), pin: Some(from) });
        }
    }
    Graph { export: 0, path: "BP_Door:EventGraph".to_owned(), kind: GraphKind::Events, nodes }
}

#[test]
fn graphs_that_hurt_cost_no_more_than_their_nodes() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20);
    scale.measure("graph, all nodes to one", FIRST, NAMED, |n| {
        let graphs = [graph(n)];
        in_process(n * NODE, || {
            assert_eq!(in_order(&graphs[0]).len(), n);
            let old = Labels::new(&graphs, None);
            drop(Labels::new(&graphs, Some(&old)));
        })
    });
    scale.finish();
}
