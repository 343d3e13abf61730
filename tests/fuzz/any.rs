//! Every fuzz target in one program, so that there is one to link: `UNCASK_FUZZ_TARGET` names which of them runs.
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("UNCASK_FUZZ_TARGET").expect("UNCASK_FUZZ_TARGET, which names a target");
    let found = uncask_fuzz::TARGETS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no fuzz target has this name: {name}")).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
