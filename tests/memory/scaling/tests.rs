//! Tests of the measurement itself, with invented costs and a simulated clock.

use super::ladder::Ladder;
use super::{Allowance, Cost, Meter, Scale, Verdict};
use crate::hostile::Rng;
use std::time::Duration;

const ALLOWED: Allowance = Allowance { floor: 1 << 20, per_byte: 16 };

/// The verdict on a shape with a hundred bytes of input per `n`.
fn judged(cost: impl Fn(usize) -> Cost) -> Verdict {
    for scale in [
        // Those of parsers, and of jobs.
        Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20),
        Scale::new(Duration::from_millis(40), Duration::from_millis(50), 512 << 10),
    ] {
        let (_, verdict) = scale.judge(ALLOWED, &mut Ladder::new(1000, &cost));
        if !verdict.is_sound() {
            return verdict;
        }
    }
    Verdict::default()
}

fn cost(n: usize, memory: f64, microseconds: f64) -> Cost {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made up")]
    let memory = memory as usize;
    let time = Duration::from_secs_f64(microseconds / 1e6);
    Cost { input: 100 * n, memory, time, system_time: Duration::ZERO }
}

#[expect(clippy::cast_precision_loss, reason = "made up")]
fn timed(time: impl Fn(f64) -> f64) -> Verdict {
    judged(|n| cost(n, 0.0, time(n as f64)))
}

#[expect(clippy::cast_precision_loss, reason = "made up")]
fn filled(memory: impl Fn(f64) -> f64) -> Verdict {
    judged(|n| cost(n, memory(n as f64), 0.0))
}

fn sound() -> Verdict {
    Verdict::default()
}

fn slow() -> Verdict {
    Verdict { too_slow: true, ..Verdict::default() }
}

fn large() -> Verdict {
    Verdict { too_much_memory: true, ..Verdict::default() }
}

#[test]
fn costs_in_proportion_are_sound() {
    let _turn = Meter::turn();
    // From a fast machine to one that is a thousand times slower.
    for unit in [0.001, 0.1, 1.0, 100.0] {
        assert_eq!(timed(|n| unit * n), sound(), "{unit} µs each");
        assert_eq!(timed(|n| unit * n * n.log2()), sound(), "{unit} µs each, sorted");
        assert_eq!(timed(|_| 1e5 * unit), sound(), "{unit}: the same for all");
    }
    for unit in [0.0, 1.0, 100.0, 1600.0] {
        assert_eq!(filled(|n| unit * n), sound(), "{unit} bytes each");
    }
    assert_eq!(filled(|n| n * n.log2()), sound());
    assert_eq!(filled(|_| 1e6), sound(), "less than the floor");
}

#[test]
fn costs_that_grow_with_the_square_are_found() {
    let _turn = Meter::turn();
    for unit in [0.001, 0.01, 0.1, 1.0] {
        assert_eq!(timed(|n| unit * n * n), slow(), "{unit} µs for each pair");
        // What else the job does is in proportion.
        assert_eq!(timed(|n| n + unit * n * n), slow(), "{unit} µs for each pair");
    }
    for unit in [0.1, 1.0, 10.0] {
        assert_eq!(filled(|n| unit * n * n), large(), "{unit} bytes for each pair");
    }
    assert_eq!(filled(|n| 2000.0 * n), large(), "in proportion, but more than is allowed");
    assert_eq!(timed(|n| 0.1 * n.powf(1.5)), slow(), "more than two and a half times for twice as much");
}

/// A machine that does other things, too: what it measures is too much, seldom by little.
fn noisy(cost: impl Fn(usize) -> Cost, seed: u64) -> Verdict {
    let random = std::cell::RefCell::new(Rng::new(seed));
    judged(move |n| {
        let (cost, chance) = (cost(n), random.borrow_mut().below(100));
        let factor = match chance {
            0..60 => 100,
            60..90 => 40 + chance,
            _ => 1000,
        };
        Cost { time: cost.time * u32::try_from(factor).unwrap() / 100, ..cost }
    })
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "made up")]
fn noise_neither_accuses_nor_hides() {
    for seed in 0..200 {
        assert_eq!(noisy(|n| cost(n, 0.0, n as f64), seed), sound(), "seed {seed}");
        assert_eq!(noisy(|n| cost(n, 0.0, 0.05 * (n * n) as f64), seed), slow(), "seed {seed}");
    }
}

/// Making files takes a file system now ten times as long, now not; but not for ever.
#[test]
fn the_system_may_take_its_time_but_not_all() {
    let _turn = Meter::turn();
    let with_system = |system: &dyn Fn(u64) -> Duration| {
        judged(|n| Cost { system_time: system(n as u64), ..cost(n, 0.0, 1.0) })
    };
    assert_eq!(with_system(&|n| Duration::from_micros(if n > 30_000 { 100 * n } else { n })), sound());
    let too_slow_system = with_system(&|n| Duration::from_micros(n * n / 20));
    assert_eq!(too_slow_system, Verdict { too_slow_system: true, ..Verdict::default() });
}
