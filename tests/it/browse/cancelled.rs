//! Work that nobody waits for any more ends, wherever it is.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use uncask::compare::diff_unless;
use uncask::error::Error;
use uncask::extract::{ChunkContent, find};
use uncask::report::{Event, Observer};
use uncask::store::Role;
use uncask::store::packages::Direction;
use uncask::values::{PackageInputs, ValueOptions, read_objects_unless};
use uncask::{Game, GameError, GameOptions};

/// Says after some questions that nobody waits any more, and counts them.
struct Patience {
    left: u64,
    asked: AtomicU64,
}

impl Patience {
    fn new(left: u64) -> Self {
        Self { left, asked: AtomicU64::new(0) }
    }

    fn is_over(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.left
    }
}

impl Observer for Patience {
    fn on(&self, _event: &Event<'_>) {}

    fn is_cancelled(&self) -> bool {
        self.is_over()
    }
}

/// Runs a job with more and more patience until it comes to its end: before, it was given up. The least it took is returned.
fn patience_for(is_done: impl Fn(&Patience) -> bool) -> u64 {
    let least = (0..10_000).find(|left| is_done(&Patience::new(*left)));
    least.expect("it never comes to its end")
}

fn demo() -> Game {
    Game::open(super::demo()).unwrap()
}

#[test]
fn opening_is_given_up_between_containers() {
    let least = patience_for(|patience| {
        let observer = Arc::new(Patience::new(patience.left));
        match GameOptions::default().threads(1).observer(observer).open(super::demo()) {
            Ok(game) => game.failed().is_empty(),
            Err(GameError::Io(Error::Cancelled)) => false,
            Err(error) => panic!("{error}"),
        }
    });
    assert!(least > 4, "it asked only {least} times");
}

#[test]
fn references_are_given_up_between_packages() {
    let game = demo();
    let rock = find(game.store(), "/Game/Textures/T_Rock").unwrap().unwrap();
    let id = game.store().chunk(rock).package_id().unwrap();
    let least = patience_for(|patience| {
        let is_over = || patience.is_over();
        game.packages().walk_unless([id], Direction::Dependants, Some(0), &is_over).is_some()
    });
    assert!(least > game.packages().ids().len() as u64, "{least}");
}

#[test]
fn values_and_bytes_are_given_up() {
    let game = demo();
    let map = find(game.store(), "/Game/Maps/Start").unwrap().unwrap();
    let least = patience_for(|patience| {
        let inputs = PackageInputs::of_store(game.store(), &[map]);
        let packages = Arc::clone(game.packages());
        let objects = read_objects_unless(packages, inputs, ValueOptions::default(), &|| patience.is_over());
        match objects {
            Ok(objects) => objects.is_some(),
            Err(Error::Cancelled) => false,
            Err(error) => panic!("{error}"),
        }
    });
    assert!(least > 0);
    let whole = game.store().containers().iter().find(|container| container.role() == Role::Content).unwrap();
    let chunk = whole.table().chunks().next().unwrap();
    let read = whole.read_unless(chunk, 0..u64::MAX, u64::MAX, &|| true);
    assert!(matches!(read, Err(Error::Cancelled)), "{read:?}");
    // Of a chunk that is read as a whole, nothing more is read.
    let ini =
        game.chunks().find(|chunk| Path::new(&chunk.display_path()).extension() == Some("ini".as_ref()));
    let content = ChunkContent::read_unless(game.packages(), ini.unwrap().entry(), &|| true);
    assert!(matches!(content, Err(Error::Cancelled)), "{content:?}");
}

#[test]
fn comparing_is_given_up() {
    let game = demo();
    let side = (game.store(), game.entries());
    let least = patience_for(|patience| diff_unless(side, side, &|| patience.is_over()).is_some());
    assert!(least > 1, "{least}");
}
