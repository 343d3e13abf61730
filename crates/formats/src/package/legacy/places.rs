//! All offsets of a header that count from the start of the file.

use super::package::Package;

impl Package {
    /// Maps every offset with a function. Offsets that mean "none" are left as they are.
    pub(in crate::package) fn move_places(&mut self, mut to: impl FnMut(i64) -> i64) {
        // Absent tables have offset 0 or −1.
        let mut long = |place: &mut i64| *place = if *place > 0 { to(*place) } else { *place };
        self.long_places(&mut long);
        // A header that outgrows its offsets is refused when its length is set.
        self.short_places(|place| {
            let mut found = i64::from(*place);
            long(&mut found);
            *place = i32::try_from(found).unwrap_or(i32::MAX);
        });
    }

    fn long_places(&mut self, to: &mut impl FnMut(&mut i64)) {
        let s = &mut self.summary;
        s.bulk_data_start.iter_mut().chain(&mut s.payload_toc_offset).for_each(&mut *to);
        self.exports.iter_mut().for_each(|export| to(&mut export.serial_offset));
        self.cell_exports.iter_mut().for_each(|cell| to(&mut cell.serial_offset));
        let registry = self.asset_registry.iter_mut();
        registry.flat_map(|registry| &mut registry.dependencies_offset).for_each(to);
    }

    fn short_places(&mut self, mut to: impl FnMut(&mut i32)) {
        let s = &mut self.summary;
        for table in [&mut s.names, &mut s.exports, &mut s.imports] {
            to(&mut table.offset);
        }
        let tables = [
            &mut s.soft_object_paths,
            &mut s.gatherable_text,
            &mut s.cell_exports,
            &mut s.cell_imports,
            &mut s.soft_package_references,
            &mut s.import_type_hierarchies,
            &mut s.preload_dependencies,
        ];
        tables.into_iter().flatten().for_each(|table| to(&mut table.offset));
        to(&mut s.depends_offset);
        to(&mut s.thumbnail_table_offset);
        let records = [
            &mut s.metadata_offset,
            &mut s.searchable_names_offset,
            &mut s.asset_registry_offset,
            &mut s.world_tile_offset,
            &mut s.data_resource_offset,
        ];
        records.into_iter().flatten().for_each(&mut to);
        let thumbnails = self.thumbnails.iter_mut().flatten();
        thumbnails.for_each(|thumbnail| to(&mut thumbnail.offset));
    }
}
