//! Every fuzz target about its seeds, as a search for more would start.

use super::{Meter, corpus, fuzz};
use std::path::Path;

/// Targets whose files nobody has here.
const WITHOUT: [&str; 1] = ["asset_wwise"];

#[test]
fn every_target_reads_its_seeds() {
    let _turn = Meter::turn();
    let (mut meter, mut without) = (Meter::default(), Vec::new());
    let seeds = fuzz::seeds::all(Path::new(env!("CARGO_MANIFEST_DIR")));
    for (target, run) in fuzz::TARGETS {
        let Some(seeds) = seeds.get(target) else {
            without.push(target);
            continue;
        };
        for (number, seed) in seeds.iter().enumerate() {
            meter.run(|| format!("{target}, seed {number}"), seed.len(), || run(seed));
        }
    }
    meter.say("seeds");
    assert!(corpus().is_none() || without == WITHOUT, "without seeds: {without:?}");
}
