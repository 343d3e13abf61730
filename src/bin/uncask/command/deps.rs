//! `uncask deps`: shows dependencies of packages.

mod graph;
mod print;

use crate::args::DepsArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer;
use crate::selection;
use crate::session::Session;
use graph::Graph;
use uncask::error::Error;
use uncask::game::{Direction, Game, Lend, Presence};
use uncask::id::PackageId;

pub(crate) fn run(args: &DepsArgs, session: &Session) -> anyhow::Result<Exit> {
    if args.dot && session.printer.json {
        return Err(UsageError("--dot and --json cannot be used together".to_owned()).into());
    }
    let package = args.package()?;
    let game = session.open(&args.store, Lend::Always)?;
    session.warn_of_locks(&game);
    let packages = game.packages();
    let nothing = || selection::no_such(session, &game, "package", package);
    let Some(root) = root(&game, package)? else { return Ok(nothing()) };
    let direction = if args.reverse { Direction::Dependants } else { Direction::Dependencies };
    let walk = game.walk([root], direction, args.depth)?;
    // A package that no container has and nobody refers to is most likely a typing error.
    let start_unknown =
        walk.nodes.iter().all(|node| node.presence == Presence::Missing && node.links.is_empty());
    if start_unknown {
        return Ok(nothing());
    }
    // Taken before names are looked up: these problems leave links unknown, later ones only names.
    let problems = Session::problems(packages);
    let graph = Graph::new(packages, walk, root, direction, args.depth, package);
    if session.printer.json {
        printer::print_json(&graph.report())?;
    } else if args.dot {
        print::dot(&graph, &mut printer::out())?;
    } else {
        print::tree(&graph, &mut printer::out())?;
    }
    for problem in Session::problems(packages) {
        session.printer.warning(&format!("some names are unknown: {problem}"));
    }
    Ok(finish(session, &game, &problems, &graph))
}

/// Reports what is unknown, and returns the exit code.
fn finish(session: &Session, game: &Game, problems: &[Error], graph: &Graph) -> Exit {
    let missing = graph.count(Presence::Missing);
    if missing > 0 {
        let missing = printer::counted(missing, "package is", "packages are");
        session.printer.note(&format!("{missing} in none of the containers"));
    }
    for problem in problems {
        session.printer.error(&format!("some links are unknown: {problem}"));
    }
    match exit::of_listing(game) {
        Exit::Ok if !problems.is_empty() || graph.count(Presence::Unreadable) > 0 => Exit::Failed,
        exit => exit,
    }
}

/// The package with this name or path. A name counts even if no container has the package: others may need it.
fn root(game: &Game, text: &str) -> anyhow::Result<Option<PackageId>> {
    // Shells of Windows may want two slashes in front, or turn them around.
    let text = text.replace('\\', "/");
    let text = if text.starts_with("//") { text.get(1..).unwrap_or_default() } else { &text };
    if text.starts_with('/') && !text.contains(['*', '?', '[', '{']) {
        // Ids are made from package names, so cut off the object after the dot.
        let (name, _) = text.split_once('.').unwrap_or((text, ""));
        return Ok(Some(game.packages().redirected(PackageId::from_name(name))));
    }
    // Anything but a plain name is searched among the chunks.
    let Some(chunk) = game.find(text)? else { return Ok(None) };
    if let Some(package) = chunk.package_id() {
        return Ok(Some(package));
    }
    Err(UsageError(format!("chunk belongs to no package: {}", chunk.display_path())).into())
}
