//! Long lists, printed part by part.

use uncask::game::Cpu;
/// Rows per part.
const PART: usize = 1 << 10;
/// Parts in memory at once.
const PARTS: usize = 32;

/// Formats a list in parts with `write`, which also gets the number of the first row, then prints them. Several parts
/// are formatted in parallel, so that a large table takes little time, and little memory, too.
pub(crate) fn in_parts<R: Sync, T: Default + Send>(
    cpu: &Cpu,
    rows: &[R],
    write: impl Fn(usize, &[R], &mut T) -> anyhow::Result<()> + Sync,
    mut print: impl FnMut(&T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // The buffers are reused by every group.
    let mut texts: Vec<T> = std::iter::repeat_with(T::default).take(PARTS).collect();
    for (group, rows) in rows.chunks(PART * PARTS).enumerate() {
        let parts = rows.chunks(PART).zip(&mut texts).enumerate();
        // Formatting is the slow part, so it is parallel; printing keeps the order.
        let written = cpu.map(parts, |(part, (rows, text))| write((group * PARTS + part) * PART, rows, text));
        written.into_iter().collect::<anyhow::Result<()>>()?;
        // The last group may fill only some of the buffers; the others hold old text.
        texts.iter().take(rows.len().div_ceil(PART)).try_for_each(&mut print)?;
    }
    Ok(())
}
