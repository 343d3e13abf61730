//! Merges ranges that are close to each other into one read.

use std::ops::Range;

/// Largest gap that is read and thrown away, instead of being skipped with a separate read.
pub(super) const MAX_GAP: u64 = 16 << 10;

/// One contiguous read in the container's address space. It never spans two partitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// Range in bytes.
    pub range: Range<u64>,
}

/// Merges `ranges`, in their order, and returns for each one the index of its extent.
///
/// A range joins the last extent if it starts inside it or at most `max_gap` bytes after it, and if both are
/// in the same partition of `partition_size` bytes. A range that goes back starts a new extent.
///
/// ```
/// use uncask::pipeline::coalesce;
///
/// let (extents, of) = coalesce([0..10, 16..20, 500..510], 64, u64::MAX);
/// assert_eq!(extents.iter().map(|extent| extent.range.clone()).collect::<Vec<_>>(), [0..20, 500..510]);
/// assert_eq!(of, [0, 0, 1]);
/// ```
#[must_use]
pub fn coalesce(
    ranges: impl IntoIterator<Item = Range<u64>>,
    max_gap: u64,
    partition_size: u64,
) -> (Vec<Extent>, Vec<u32>) {
    let partition = |offset: u64| offset / partition_size.max(1);
    let mut extents: Vec<Extent> = Vec::new();
    let mut places = Vec::new();
    for range in ranges {
        match extents.last_mut() {
            // Only the last extent can grow, so the work is linear; a plan sorted by offset loses nothing by
            // it.
            Some(last)
                if range.start >= last.range.start
                    && range.start <= last.range.end.saturating_add(max_gap)
                    && partition(range.start) == partition(last.range.start) =>
            {
                last.range.end = last.range.end.max(range.end);
            }
            _ => extents.push(Extent { range }),
        }
        places.push(u32::try_from(extents.len() - 1).unwrap_or(u32::MAX));
    }
    (extents, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn extents_cover_their_ranges_and_stay_in_their_partition(
            starts in prop::collection::vec((0_u64..4000, 1_u64..300), 0..40),
            gap in 0_u64..500,
            partition_size in 512_u64..2048,
        ) {
            // Blocks never straddle a partition; the plan has checked that.
            let ranges: Vec<Range<u64>> = starts
                .iter()
                .map(|(start, len)| {
                    let end = (start + len).min((start / partition_size + 1) * partition_size);
                    *start..end
                })
                .collect();
            let (extents, places) = coalesce(ranges.clone(), gap, partition_size);
            prop_assert_eq!(places.len(), ranges.len());
            for (range, place) in ranges.iter().zip(&places) {
                let extent = &extents[*place as usize].range;
                prop_assert!(extent.start <= range.start && range.end <= extent.end);
            }
            for extent in &extents {
                prop_assert_eq!(extent.range.start / partition_size, (extent.range.end - 1) / partition_size);
            }
            let waste: u64 = extents.iter().map(|e| e.range.end - e.range.start).sum();
            let wanted: u64 = ranges.iter().map(|r| r.end - r.start).sum();
            prop_assert!(waste <= wanted + gap * ranges.len() as u64);
        }
    }

    #[test]
    fn a_partition_boundary_is_never_crossed() {
        let (extents, of) = coalesce([90..100, 100..110], 64, 100);
        assert_eq!((extents.len(), of), (2, vec![0, 1]));
    }
}
