/// Orders levels, given from the largest: the smallest one that is large enough, then smaller ones, then
/// larger ones.
pub(super) fn best_for<T>(levels: impl Iterator<Item = T>, is_enough: impl Fn(&T) -> bool) -> Vec<T> {
    let mut levels: Vec<T> = levels.collect();
    let larger = levels.iter().take_while(|level| is_enough(level)).count().saturating_sub(1);
    // Of the larger ones, the nearest comes first.
    levels.get_mut(..larger).unwrap_or_default().reverse();
    levels.rotate_left(larger);
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_is_large_enough_comes_first() {
        let best = |sides: &[u32]| best_for(sides.iter().copied(), |side| *side >= 128);
        assert_eq!(best(&[1024, 512, 256, 128, 64, 32]), [128, 64, 32, 256, 512, 1024]);
        assert_eq!(best(&[200, 100]), [200, 100]);
        assert_eq!(best(&[64, 32]), [64, 32]);
        assert_eq!(best(&[512]), [512]);
        assert_eq!(best(&[]), [0_u32; 0]);
    }
}
