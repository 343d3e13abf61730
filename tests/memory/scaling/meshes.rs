//! Imported meshes that are made to hurt.

use uncask::wire::Writer;

/// The number of the form, and a raw mesh of `n` triangles over one position, whose corners are all alike or all different.
pub(super) fn raw_mesh(n: usize, alike: bool) -> Vec<u8> {
    let (mut w, wedges) = (Writer::new(), 3 * n);
    let count = |w: &mut Writer, count: usize| {
        w.u32(u32::try_from(count).unwrap());
    };
    for word in [0, 0, 0] {
        w.u32(word);
    }
    for _ in 0..2 {
        count(&mut w, n);
        w.bytes(&vec![0; 4 * n]);
    }
    count(&mut w, 1);
    w.bytes(&[0; 12]);
    count(&mut w, wedges);
    w.bytes(&vec![0; 4 * wedges]);
    // No tangents and no bitangents, but normals.
    count(&mut w, 0);
    count(&mut w, 0);
    count(&mut w, wedges);
    for at in 0..u32::try_from(wedges).unwrap() {
        // Every number from here on is another one.
        let number = f32::from_bits(0x3F80_0000 + if alike { 0 } else { at });
        for part in [number, 1.0, 0.0] {
            w.bytes(&part.to_le_bytes());
        }
    }
    // Texture coordinates and colours.
    for _ in 0..9 {
        count(&mut w, 0);
    }
    w.as_bytes().to_vec()
}
