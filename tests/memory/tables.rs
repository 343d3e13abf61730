//! Tables of contents of every version, damaged in every way.

use super::{Meter, block_on, cpu, hostile};
use uncask::job::{Budget, Context};

const MUTATIONS: u64 = 1000;

#[test]
fn damaged_tables_cost_no_more_than_a_multiple_of_their_size() {
    let _turn = Meter::turn();
    let context = Context::new(cpu().clone(), Budget::new(8 << 20), true);
    let mut meter = Meter::default();
    for fixture in hostile::fixtures(&context, None) {
        for (name, toc) in hostile::damaged(&fixture, MUTATIONS) {
            let len = toc.len();
            meter.run(|| name.clone(), len, || block_on(hostile::interrogate(toc, &fixture, &context)));
        }
    }
    meter.say("damaged tables");
    assert!(meter.cases > 10 * MUTATIONS, "{} cases", meter.cases);
}
