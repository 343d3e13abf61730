#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| uncask_fuzz::run("asset_source_mesh", data));
