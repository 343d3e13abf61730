//! Long lists: their text is made part by part.

use uncask::game::Cpu;
/// Rows whose text is made in a row.
const PART: usize = 1 << 10;
/// Parts whose text is in memory.
const PARTS: usize = 32;

/// Has `write` make the texts of parts of a list, which also gets the number of the first row; then prints them. The
/// parts are written on all threads, some at a time, so that a large table takes little time, and little memory too.
pub(crate) fn in_parts<R: Sync, T: Default + Send>(
    cpu: &Cpu,
    rows: &[R],
    write: impl Fn(usize, &[R], &mut T) -> anyhow::Result<()> + Sync,
    mut print: impl FnMut(&T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut texts: Vec<T> = std::iter::repeat_with(T::default).take(PARTS).collect();
    for (group, rows) in rows.chunks(PART * PARTS).enumerate() {
        let parts = rows.chunks(PART).zip(&mut texts).enumerate();
        let written = cpu.map(parts, |(part, (rows, text))| write((group * PARTS + part) * PART, rows, text));
        written.into_iter().collect::<anyhow::Result<()>>()?;
        texts.iter().take(rows.len().div_ceil(PART)).try_for_each(&mut print)?;
    }
    Ok(())
}
