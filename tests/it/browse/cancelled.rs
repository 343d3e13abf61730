//! Work that nobody waits for any more ends, wherever it is.

use std::path::Path;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{CancelToken, ChunkContent, diff};
use uncask::store::packages::Direction;
use uncask::store::{ReadLimit, Role};
use uncask::values::{ValueOptions, read_objects};
use uncask::{Game, GameError, GameOptions};

/// Runs a job with more and more patience until it comes to its end: before, it was given up. The least it took is returned.
fn patience_for(is_done: impl Fn(CancelToken) -> bool) -> u64 {
    let least = (0..10_000).find(|left| is_done(CancelToken::after(*left)));
    least.expect("it never comes to its end")
}

fn demo() -> Game {
    Game::open(super::demo()).unwrap()
}

#[test]
fn opening_is_given_up_between_containers() {
    let least = patience_for(|token| {
        match GameOptions::default().threads(1).cancel_token(token).open(super::demo()) {
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
    let rock = game.find("/Game/Textures/T_Rock").unwrap().unwrap().entry();
    let id = game.at(rock).package_id().unwrap();
    let least =
        patience_for(|token| game.packages().walk([id], Direction::Dependants, Some(0), &token).is_ok());
    assert!(least > game.packages().ids().len() as u64, "{least}");
}

#[test]
fn values_and_bytes_are_given_up() {
    let game = demo();
    let map = game.find("/Game/Maps/Start").unwrap().unwrap().entry();
    let least = patience_for(|token| {
        let inputs = game.package_inputs(&[map]);
        let packages = Arc::clone(game.packages());
        let objects = read_objects(packages, inputs, ValueOptions::default(), &token);
        match objects {
            Ok(objects) => objects.is_some(),
            Err(Error::Cancelled) => false,
            Err(error) => panic!("{error}"),
        }
    });
    assert!(least > 0);
    let whole = game.containers().iter().find(|container| container.role() == Role::Content).unwrap();
    let chunk = whole.table().chunks().next().unwrap();
    let over = CancelToken::after(0);
    let read = whole.read(chunk, 0..u64::MAX, ReadLimit { bytes: u64::MAX, cancel: Some(&over) });
    assert!(matches!(read, Err(Error::Cancelled)), "{read:?}");
    // Of a chunk that is read as a whole, nothing more is read.
    let ini =
        game.chunks().find(|chunk| Path::new(&chunk.display_path()).extension() == Some("ini".as_ref()));
    let content = ChunkContent::read(game.packages(), ini.unwrap().entry(), &over);
    assert!(matches!(content, Err(Error::Cancelled)), "{content:?}");
}

#[test]
fn comparing_is_given_up() {
    let game = demo();
    let least = patience_for(|token| {
        let side = game.clone().with_cancel_token(token);
        diff((&side, game.entries()), (&side, game.entries())).is_ok()
    });
    assert!(least > 1, "{least}");
}
