//! Pseudo-code of cooked blueprints against the graphs from which the editor compiled them.

mod pins;

use crate::support::{corpus::with as corpus_with, say};
use pins::{Node, Pin, graphs};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use uncask::Game;
use uncask::bytecode::{Decompiler, Function, Symbols, identifier};
use uncask::game::{Chunk, CodeForm};
use uncask::package::legacy::Package;
use uncask::property::Scope;

/// Counts of a comparison, and the parts of graphs that the code lacks.
#[derive(Debug, Default)]
struct Compared {
    graphs: usize,
    /// Graphs that were changed between the publication and the mod.
    of_other_versions: usize,
    /// Calls that are calls in the code, too.
    calls: usize,
    /// Calls that are operators in the code.
    operators: usize,
    literals: usize,
    missing: Vec<String>,
}

/// Mods of a shipped game, whose authors published the graphs.
#[test]
fn the_code_of_cooked_mods_has_the_calls_and_literals_of_their_graphs() {
    let Some(corpus) = corpus_with("mods/drg/editor") else { return };
    let mods = corpus.join("mods/drg");
    let mut compared = Compared::default();
    for name in ["missionselector_P", "sandboxutilities_P"] {
        let game = Game::open(mods.join(format!("{name}.pak"))).unwrap();
        for chunk in game.chunks().filter(Chunk::is_cooked_header) {
            let path = chunk.display_path();
            let Some(below) = path.strip_prefix("FSD/") else { continue };
            let editor = mods.join("editor").join(below);
            if editor.is_file() {
                compare(&game, &path, &editor, &mut compared);
            }
        }
    }
    let Compared { graphs, of_other_versions, calls, operators, literals, missing } = &compared;
    say(&format!(
        "{graphs} graphs, {of_other_versions} others, {calls} calls, {operators} operators, {literals} literals"
    ));
    for missing in missing {
        say(missing);
    }
    assert_eq!(missing.len(), 0);
    assert_eq!((*graphs, *of_other_versions, *calls, *operators, *literals), (146, 40, 763, 136, 121));
}

fn compare(game: &Game, path: &str, editor: &Path, compared: &mut Compared) {
    let data = std::fs::read(editor).unwrap();
    let package = Package::parse(&data).unwrap();
    let scope = Scope::new(&package, &data, 0, None);
    let chunk = game.find(path).unwrap().unwrap();
    let symbols = Symbols::new(&package);
    let functions = Function::all(&scope);
    let decompiler = Decompiler::new(&scope, &symbols, &functions);
    let mut graphs: Vec<(String, HashMap<u32, Node>)> = graphs(&scope).into_iter().collect();
    graphs.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (graph, nodes) in &graphs {
        let entries = || nodes.iter().filter(|(_, node)| node.is_entry());
        // The events of a graph are spread over functions of the code.
        let is_events = entries().any(|(_, node)| node.class != "K2Node_FunctionEntry");
        let function = if is_events { None } else { Some(graph.as_str()) };
        let code = game.code_of(chunk, CodeForm::Pseudo, function).unwrap();
        let listing = game.code_of(chunk, CodeForm::Listing, function).unwrap();
        if code.is_empty() {
            // A macro is no function, and nothing is cooked of a function without nodes.
            continue;
        }
        // What the editor compiled last is beside the graphs.
        let is_same = functions
            .iter()
            .filter(|of| function.is_none_or(|name| symbols.text(of.name) == name))
            .map(|of| (of, decompiler.decompile(of).text))
            .filter(|(of, _)| !of.is_event_graph(&package))
            .filter(|(_, text)| function.is_some() || text.starts_with("event "))
            // The first line says where the event begins in the graph.
            .all(|(_, text)| code.contains(text.split_once('\n').map_or("", |(_, body)| body)));
        if !is_same {
            compared.of_other_versions += 1;
            continue;
        }
        compared.graphs += 1;
        let mut reached = HashSet::new();
        for (place, _) in entries() {
            reach(nodes, *place, &mut reached);
        }
        let name = format!("{path} {graph}");
        for node in reached.iter().map(|place| &nodes[place]) {
            node.compare(&name, &code, &listing, compared);
        }
    }
}

/// Everything that runs after a node, and what gives it values.
fn reach(nodes: &HashMap<u32, Node>, from: u32, reached: &mut HashSet<u32>) {
    let mut next = vec![from];
    while let Some(place) = next.pop() {
        let Some(node) = nodes.get(&place).filter(|node| !node.is_disabled) else { continue };
        if !reached.insert(place) {
            continue;
        }
        for pin in &node.pins {
            match (pin.is_output, pin.category.as_str()) {
                (true, "exec") => next.extend(&pin.links),
                // What runs only if something leads to it gives no value otherwise.
                (false, category) if category != "exec" => {
                    let is_pure = |place: &&u32| nodes.get(place).is_some_and(Node::is_pure);
                    next.extend(pin.links.iter().filter(is_pure));
                }
                _ => {}
            }
        }
    }
}

impl Node {
    fn is_entry(&self) -> bool {
        self.class == "K2Node_FunctionEntry"
            || (self.class.contains("Event") && !self.is_disabled && !self.is_pure())
    }

    fn is_pure(&self) -> bool {
        self.pins.iter().all(|pin| pin.category != "exec")
    }

    fn compare(&self, graph: &str, code: &str, listing: &str, compared: &mut Compared) {
        let Some(member) = &self.member else { return };
        if code.contains(&format!("{}(", identifier(member))) {
            compared.calls += 1;
        } else if listing.contains(&format!(".{member}\"")) {
            if !operator(member).iter().any(|operator| code.contains(operator)) {
                compared.missing.push(format!("{graph}: {member} as an operator"));
                return;
            }
            compared.operators += 1;
        } else {
            compared.missing.push(format!("{graph}: {} {member}", self.class));
            return;
        }
        for pin in self.pins.iter().filter(|pin| pin.is_literal()) {
            if pin.forms().iter().any(|form| code.contains(form.as_str())) {
                compared.literals += 1;
            } else {
                let Pin { name, default, category, .. } = pin;
                compared.missing.push(format!("{graph}: {member}, {name} = {default} ({category})"));
            }
        }
    }
}

/// The forms of a library function in code; a condition may be turned around.
fn operator(member: &str) -> &'static [&'static str] {
    match member.split_once('_').map_or(member, |(family, _)| family) {
        "Add" | "Concat" => &[" + ", " += "],
        "Subtract" => &[" - "],
        "Multiply" => &[" * "],
        "Divide" => &[" / "],
        "Greater" => &[" > "],
        "GreaterEqual" => &[" >= "],
        "EqualEqual" | "NotEqual" => &[" == ", " != "],
        "BooleanAND" | "BooleanOR" => &[" && ", " || "],
        "Not" => &["!"],
        "SelectFloat" => &[" ? "],
        "Array" | "Map" => &[".Add(", ".Clear(", ".Contains(", ".Find(", ".Length", ".Keys", ".Values"],
        "Conv" => &["int(", "float(", "byte(", "string(", "text(", "name(", "SoftObjRef("],
        _ => &[],
    }
}

impl Pin {
    fn is_literal(&self) -> bool {
        let kinds = ["int", "int64", "float", "string", "name", "text", "object", "class"];
        let is_simple =
            kinds.contains(&self.category.as_str()) || (self.category == "byte" && !self.has_type);
        let is_input = !self.is_output && !self.is_hidden && self.links.is_empty();
        is_input && is_simple && !self.default.is_empty()
    }

    /// The texts of its value in code.
    fn forms(&self) -> Vec<String> {
        match self.category.as_str() {
            "float" => vec![format!("{:?}", self.default.parse::<f32>().unwrap())],
            "string" | "text" => vec![format!("{:?}", self.default)],
            "name" => vec![format!("'{}'", self.default)],
            "object" | "class" => vec![identifier(&self.default)],
            _ => vec![self.default.clone()],
        }
    }
}
