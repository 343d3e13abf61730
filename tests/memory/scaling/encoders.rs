//! The Oodle encoder at every level, on content that hurts matchers.

use super::{Allowance, Meter, Scale, in_process, say};
use crate::COUNTING;
use crate::hostile::Rng;
use std::time::Duration;
use uncask::codec::{Method, Scratch, compress, encoder_len};

/// A shape's name and the bytes of a given size.
type Shape = (&'static str, fn(usize) -> Vec<u8>);

const SHAPES: [Shape; 4] =
    [("zeros", |len| vec![0; len]), ("period 9", periodic), ("noise", noise), ("two symbols", two_symbols)];

/// Tables, the lists of a chunk, and what is written.
const ALLOWED: Allowance = Allowance { floor: 32 << 20, per_byte: 2 };

#[test]
fn encoders_take_as_long_as_their_input_is() {
    let _turn = Meter::turn();
    let mut scale = Scale::new(Duration::from_millis(5), Duration::from_millis(20), 1 << 20);
    for (name, make) in SHAPES {
        for level in 0..=4 {
            // Beyond the window, which is a mebibyte, there are no more candidates than before.
            scale.measure(&format!("Oodle {level}, {name}"), 2048, ALLOWED, |n| {
                let raw = make(n << 10);
                let (mut out, mut scratch) = (Vec::new(), Scratch::default());
                in_process(raw.len(), || {
                    out.clear();
                    compress(Method::Oodle, &raw, Some(level), &mut out, &mut scratch).unwrap();
                })
            });
        }
    }
    scale.finish();
}

/// Each part of a job pays for its encoder before there is one. Allocations of libraries in C are not seen here.
#[test]
fn the_oodle_encoder_takes_no_more_memory_than_is_paid_for() {
    let _turn = Meter::turn();
    for level in 0..=4 {
        let taken = SHAPES.map(|(_, make)| {
            let raw = make(1 << 20);
            let mut out = Vec::with_capacity(2 * raw.len());
            let before = COUNTING.restart();
            compress(Method::Oodle, &raw, Some(level), &mut out, &mut Scratch::default()).unwrap();
            COUNTING.peak().saturating_sub(before)
        });
        let (taken, allowed) = (taken.into_iter().max().unwrap(), encoder_len(Method::Oodle, Some(level)));
        say(&format!("Oodle {level}: {} of {} KiB", taken >> 10, allowed >> 10));
        assert!((allowed / 2..=allowed).contains(&taken), "{level}: {taken} bytes, {allowed} are paid for");
    }
}

fn periodic(len: usize) -> Vec<u8> {
    (0..9).cycle().take(len).collect()
}

fn noise(len: usize) -> Vec<u8> {
    let mut rng = Rng::new(1);
    (0..len).map(|_| rng.next().to_le_bytes()[0]).collect()
}

fn two_symbols(len: usize) -> Vec<u8> {
    noise(len).into_iter().map(|byte| byte & 1).collect()
}
