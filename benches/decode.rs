//! Blocks of 64 KiB: decoding by method, decrypting, hashing. The reference is a copy of the same bytes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use uncask::codec::{Method, Scratch, compress, decode};
use uncask::crypto::{AesKey, Cipher, EncryptionMethod};
use uncask::id::ChunkHash;
use uncask::version::ChunkHashKind;

const BLOCK: usize = 64 << 10;
/// Enough blocks to leave every cache.
const BLOCKS: usize = 1024;

/// Numbered lines: about as compressible as game data.
fn content() -> Vec<u8> {
    let line = |n: u64| format!("vertex {n} {} {};", n.wrapping_mul(7919) % 10_007, n % 251).into_bytes();
    (0..).flat_map(line).take(BLOCK * BLOCKS).collect()
}

fn blocks(c: &mut Criterion) {
    let content = content();
    let mut scratch = Scratch::default();
    let mut out = vec![0; BLOCK];
    let mut group = c.benchmark_group("block");
    group.sample_size(10).throughput(Throughput::Bytes(content.len() as u64));
    group.bench_function("reference: copy", |b| {
        b.iter(|| content.chunks(BLOCK).for_each(|block| black_box(&mut out).copy_from_slice(block)));
    });
    for method in [Method::None, Method::Zlib, Method::Gzip, Method::Lz4, Method::Zstd] {
        let packed: Vec<Vec<u8>> = content
            .chunks(BLOCK)
            .map(|block| {
                let mut packed = Vec::new();
                compress(method, block, None, &mut packed, &mut scratch).expect("compresses");
                packed
            })
            .collect();
        group.bench_function(method.name(), |b| {
            b.iter(|| {
                for block in &packed {
                    decode(method, block, &mut out, &mut scratch).expect("valid");
                }
            });
        });
    }
    for method in [EncryptionMethod::Ecb, EncryptionMethod::Ctr] {
        let cipher = Cipher::new(&AesKey::new([7; 32]), method);
        let iv = (method == EncryptionMethod::Ctr).then_some([3; 12]);
        group.bench_function(method.to_string(), |b| {
            b.iter(|| {
                content
                    .chunks(BLOCK)
                    .for_each(|block| cipher.decrypt_block(iv, block, &mut out).expect("whole blocks"));
            });
        });
    }
    for kind in [ChunkHashKind::Blake3, ChunkHashKind::Sha1] {
        group.bench_function(format!("{kind:?}"), |b| {
            b.iter(|| {
                content
                    .chunks(BLOCK)
                    .map(|block| ChunkHash::of(kind, black_box(block)))
                    .fold(0, |sum, hash| sum ^ hash.0[0])
            });
        });
    }
    group.finish();
}

criterion_group!(benches, blocks);
criterion_main!(benches);
