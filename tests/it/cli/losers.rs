//! `verify`: everything in the inputs, and tables without a perfect hash.

use super::{options, run};
use crate::support::cli::uncask;
use crate::support::containers::{Packed, prose};
use crate::support::corpus;

/// A container and a patch of one of its two chunks.
fn patched() -> Packed {
    let packed = Packed::new([("Demo/A.uasset", prose(900)), ("Demo/B.uasset", prose(500))], &options());
    let patch = Packed::new([("Demo/A.uasset", prose(700))], &options());
    std::fs::copy(&patch.toc, packed.beside("demo_P.utoc")).unwrap();
    std::fs::copy(patch.data(), packed.beside("demo_P.ucas")).unwrap();
    packed
}

#[test]
fn a_damaged_chunk_is_found_though_another_overrides_it() {
    let packed = patched();
    let whole = run(&packed, &["verify", "@"]).expect(0).stderr;
    assert!(whole.contains("verified 3 of 3 chunks"), "{whole}");
    assert!(whole.contains("1 of them is overridden by other containers"), "{whole}");
    let toc = std::fs::read(&packed.toc).unwrap();
    let mut data = std::fs::read(packed.data()).unwrap();
    // The chunks lie in the order of the perfect hash: damage both and the loser is among them.
    for byte in &mut data {
        *byte ^= 0x55;
    }
    std::fs::write(packed.data(), &data).unwrap();
    let damaged = run(&packed, &["verify", "@", "--json"]).expect(1).stdout;
    let damaged: serde_json::Value = serde_json::from_str(&damaged).unwrap();
    let problems = ["failures", "mismatches"].map(|list| damaged[list].as_array().unwrap().len());
    assert_eq!(problems.iter().sum::<usize>(), 2, "{damaged}");
    assert_eq!(damaged["overridden"], 1);
    // Of what the game uses, one of the two is wrong.
    let winners = run(&packed, &["verify", "@", "--winners", "--json"]).expect(1).stdout;
    let winners: serde_json::Value = serde_json::from_str(&winners).unwrap();
    let problems = ["failures", "mismatches"].map(|list| winners[list].as_array().unwrap().len());
    assert_eq!((problems.iter().sum::<usize>(), &winners["selected"]), (1, &2.into()), "{winners}");
    assert_eq!(std::fs::read(&packed.toc).unwrap(), toc);
}

/// Real containers of a packer that writes no perfect hash.
#[test]
fn a_table_without_a_perfect_hash_is_noted() {
    let Some(corpus) = corpus::with("found/container/dup.utoc") else { return };
    let mod_of_a_packer = corpus.join("found/container/dup.utoc").display().to_string();
    let verified = uncask(["verify", &mod_of_a_packer]).expect(0);
    assert!(!verified.stderr.contains("perfect hash"), "{}", verified.shown());
    let reported = uncask(["verify", &mod_of_a_packer, "-v"]).expect(0).stderr;
    assert!(reported.contains("no perfect hash; the engine looks chunks up in a map instead"), "{reported}");
    let info = uncask(["info", &mod_of_a_packer]).expect(0);
    assert!(info.stdout.contains("note          no perfect hash"), "{}", info.shown());
    assert!(!info.stdout.contains("0 seeds") && info.stderr.is_empty(), "{}", info.shown());
}

/// One real table with seeds that lead nowhere still fails.
#[test]
fn a_wrong_perfect_hash_is_a_failure() {
    let packed = patched();
    let mut toc = std::fs::read(&packed.toc).unwrap();
    // Seeds follow the header, ids (12 bytes) and places (10 bytes) of two chunks; 0 says that there is no such chunk.
    let seeds = 144 + 2 * (12 + 10);
    toc[seeds..seeds + 4].fill(0);
    std::fs::write(&packed.toc, toc).unwrap();
    let failed = run(&packed, &["verify", "@/demo.utoc"]).expect(1).stderr;
    assert!(failed.contains("not found through the perfect hash"), "{failed}");
}
