//! Differential fuzzing of the Oodle decoder: mutated streams through every set of kernels and through `oozextract`.
//!
//! ```text
//! cargo run --release --example oodle_fuzz -- SEED SECONDS
//! ```
//!
//! All sets of kernels must agree on the verdict and, if it is good, on the bytes. Where `oozextract` also decodes, it
//! must get the same bytes; where only one of the two does, there must be a reason that is known (`differences`). A
//! panic of `oozextract` is a refusal. Sources and outputs are exact allocations, so an address sanitizer sees every access outside.
#![expect(clippy::print_stdout, reason = "a report")]
#![expect(clippy::indexing_slicing, reason = "a fault may stop the driver")]

#[expect(dead_code, reason = "the tests take the rest of it")]
#[path = "../../tests/it/support/mod.rs"]
mod oodle_support;

mod differences;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use oodle_support::{Random, corpus, seeds};
use uncask_oodle::{Backend, Error, Scratch, decompress};

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let seed: u64 = args.next().unwrap_or(1);
    let time = Duration::from_secs(args.next().unwrap_or(10));
    std::panic::set_hook(Box::new(|_| {}));
    let seeds = seeds(corpus().as_deref());
    let mut random = Random::new(seed);
    let mut fuzz = Fuzz::default();
    let start = Instant::now();
    while start.elapsed() < time {
        for _ in 0..100 {
            let (stored, raw_len) = mutant(&seeds, &mut random);
            fuzz.check(&stored, raw_len);
        }
    }
    println!("seed {seed}: {} seeds, {} mutants in {:?}", seeds.len(), fuzz.mutants, start.elapsed());
    for (outcome, count) in &fuzz.outcomes {
        println!("{count:>10}  {outcome}");
    }
    assert!(fuzz.faults == 0, "{} faults", fuzz.faults);
}

/// A stream that one to four small accidents have happened to. Large seeds are taken seldom: accidents are as likely to
/// matter in small ones, which are decoded much faster.
fn mutant(seeds: &[(Vec<u8>, usize)], random: &mut Random) -> (Vec<u8>, usize) {
    let mut pick = &seeds[random.below(seeds.len())];
    while pick.1 > 1024 && random.below(pick.1 / 64) > 8 {
        pick = &seeds[random.below(seeds.len())];
    }
    let (mut stored, mut raw_len) = pick.clone();
    for _ in 0..=random.below(4) {
        if stored.is_empty() {
            break;
        }
        // Half of the accidents happen to the headers.
        let reach = if random.below(2) == 0 { stored.len() } else { stored.len().min(64) };
        let at = random.below(reach);
        match random.below(10) {
            0..=3 => stored[at] ^= 1 << random.below(8),
            4 => stored[at] = random.next().to_le_bytes()[0],
            5 => stored[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            6 => drop(stored.remove(at)),
            7 => stored.insert(at, random.next().to_le_bytes()[0]),
            8 => {
                let (from, len) = (random.below(stored.len()), random.below(16));
                let piece: Vec<u8> = stored[from..].iter().take(len).copied().collect();
                for (slot, byte) in stored[at..].iter_mut().zip(piece) {
                    *slot = byte;
                }
            }
            _ if random.below(2) == 0 => stored.truncate(at),
            _ => raw_len = (raw_len + 32).saturating_sub(random.below(64)),
        }
    }
    stored.shrink_to_fit();
    (stored, raw_len)
}

/// The decoders, and everything seen so far.
#[derive(Default)]
struct Fuzz {
    scratches: Vec<(Backend, Scratch)>,
    extractor: Option<oozextract::Extractor>,
    mutants: u64,
    faults: u64,
    outcomes: BTreeMap<String, u64>,
}

impl Fuzz {
    fn check(&mut self, stored: &[u8], raw_len: usize) {
        if self.scratches.is_empty() {
            self.scratches = Backend::all().into_iter().map(|it| (it, Scratch::with_backend(it))).collect();
        }
        self.mutants += 1;
        let verdicts: Vec<_> =
            self.scratches.iter_mut().map(|(_, scratch)| decode(stored, raw_len, scratch)).collect();
        if verdicts.iter().any(|verdict| verdict.as_ref().ok() != verdicts[0].as_ref().ok()) {
            self.fault("kernels disagree", stored, raw_len);
        }
        let theirs = self.decode_there(stored, raw_len);
        let explained = |side: &str, reason: Option<&str>| match reason {
            Some(reason) => format!("{side}: {reason}"),
            None => format!("{side}: UNEXPLAINED"),
        };
        let outcome = match (&verdicts[0], theirs) {
            (Ok(ours), Some(theirs)) if *ours == theirs => "good in both".into(),
            (Ok(_), Some(_)) => "UNEXPLAINED: good in both, other bytes".into(),
            (Ok(ours), None) => {
                let reason =
                    catch_unwind(|| differences::of_refusal_there(stored, raw_len, ours)).unwrap_or_default();
                explained("good only here", reason)
            }
            (Err(error), Some(_)) => {
                let reason = differences::of_refusal_here(stored, raw_len, *error);
                explained(&format!("good only there ({error})"), reason)
            }
            (Err(_), None) => "bad in both".into(),
        };
        let outcome = match outcome.split_once("bytes are left over after an Oodle stream") {
            Some((_, reason)) => format!("good only there (bytes are left over{reason}"),
            None => outcome,
        };
        if outcome.contains("UNEXPLAINED") {
            self.fault(&outcome, stored, raw_len);
        }
        if std::env::var("OODLE_FUZZ_SHOW").is_ok_and(|wanted| outcome.contains(&wanted)) {
            show(&outcome, stored, raw_len);
        }
        *self.outcomes.entry(outcome).or_default() += 1;
    }

    /// Decodes a stream with `oozextract`. An extractor that has panicked is not used again.
    fn decode_there(&mut self, stored: &[u8], raw_len: usize) -> Option<Vec<u8>> {
        let mut extractor = self.extractor.take().unwrap_or_else(oozextract::Extractor::new);
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            let mut raw = vec![0; raw_len];
            let read = extractor.read_from_slice(stored, &mut raw);
            read.is_ok_and(|len| len == raw_len).then_some(raw)
        }));
        let decoded = decoded.ok()?;
        self.extractor = Some(extractor);
        decoded
    }

    fn fault(&mut self, what: &str, stored: &[u8], raw_len: usize) {
        self.faults += 1;
        show(what, stored, raw_len);
    }
}

fn decode(stored: &[u8], raw_len: usize, scratch: &mut Scratch) -> Result<Vec<u8>, Error> {
    let mut raw = vec![0xAA; raw_len];
    decompress(stored, &mut raw, scratch).map(|()| raw)
}

fn show(what: &str, stored: &[u8], raw_len: usize) {
    print!("{what}: raw {raw_len}, stored {}: ", stored.len());
    stored.iter().take(2000).for_each(|byte| print!("{byte:02x}"));
    println!();
}
