//! Every truncation and thousands of seeded mutations, asked every question.

use crate::support::hostile::{Fixture, Rng, damaged, fixtures, interrogate};
use crate::support::{block_on, corpus, cpu, say};
use bytes::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use uncask::container::DirectoryIndex;
use uncask::job::{Budget, Context};

const MUTATIONS: u64 = 1000;

#[test]
fn damaged_tables_never_panic() {
    let corpus = corpus::find();
    let context = Context::new(cpu().clone(), Budget::new(8 << 20), true);
    let fixtures = fixtures(&context, corpus.as_deref());
    let (mut cases, mut parsed) = (0, 0);
    for fixture in &fixtures {
        assert!(ask(fixture.toc.clone(), fixture, &context).unwrap(), "{} is sound", fixture.name);
        for (name, toc) in damaged(fixture, MUTATIONS) {
            let survived = ask(toc, fixture, &context).unwrap_or_else(|()| panic!("panic: {name}"));
            cases += 1;
            parsed += u64::from(survived);
        }
    }
    say(&format!("{cases} damaged tables, of which {parsed} parsed, from {} sound ones", fixtures.len()));
    assert!(cases > 10_000 && parsed > cases / 4, "{parsed} of {cases} parsed: the mutations are too crude");
}

/// Asks a table everything; `Err` if that panics.
fn ask(toc: Vec<u8>, fixture: &Fixture, context: &Context) -> Result<bool, ()> {
    catch_unwind(AssertUnwindSafe(|| block_on(interrogate(toc, fixture, context)))).map_err(|_| ())
}

#[test]
fn damaged_data_fails_chunks_and_nothing_else() {
    let context = Context::new(cpu().clone(), Budget::new(8 << 20), true);
    let mut cases = 0;
    for fixture in fixtures(&context, None) {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let mut data = fixture.data.to_vec();
            for _ in 0..=rng.below(8) {
                let at = rng.below(data.len());
                data[at] = rng.next().to_le_bytes()[0];
            }
            data.truncate(data.len() - rng.below(2) * rng.below(data.len()));
            let damaged = Fixture { data: Bytes::from(data), toc: fixture.toc.clone(), ..fixture.clone() };
            assert_eq!(ask(fixture.toc.clone(), &damaged, &context), Ok(true), "{}", fixture.name);
            cases += 1;
        }
    }
    assert_eq!(cases, 2000);
}

#[test]
fn damaged_directory_indices_never_panic() {
    let mut builder = uncask::container::DirectoryIndexBuilder::new("../../../Game/");
    for (chunk, path) in (0..).zip(["a.uasset", "Maps/b.umap", "Maps/Ünï/c.ubulk", "Maps/Ünï/d.ubulk"]) {
        builder.add(path, chunk);
    }
    let sound = builder.finish();
    let (mut rng, mut parsed) = (Rng::new(2), 0);
    for case in 0..20_000_usize {
        let mut bytes = sound.clone();
        bytes.truncate(if case <= sound.len() { case } else { sound.len() });
        for _ in 0..rng.below(4) {
            if !bytes.is_empty() {
                let at = rng.below(bytes.len());
                bytes[at] = [0, 1, 2, 0x7F, 0xFF][rng.below(5)];
            }
        }
        let Ok(index) = DirectoryIndex::parse(bytes.into(), 4) else { continue };
        parsed += 1;
        for chunk in (0..5).map(uncask::container::ChunkIndex) {
            assert!(
                index.path(chunk).is_none_or(|path| !path.is_empty() && path.len() < 1 << 15),
                "case {case}"
            );
        }
    }
    assert!(parsed > 5000, "{parsed} parsed");
}
