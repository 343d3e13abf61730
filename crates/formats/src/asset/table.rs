//! Generates the asset types from the rows of the table.

/// Generates [`Asset`](super::Asset), [`AssetKind`](super::AssetKind), [`Summary`](super::Summary) and the
/// list of classes. None of these is `#[non_exhaustive]`: a writer in another crate that forgets a kind must
/// not compile.
macro_rules! assets {
    ($(
        $(#[$doc:meta])*
        $kind:ident($of:ty, $summary:ident, $tag:literal, $one:literal, $many:literal, [$($form:ident),*]) {
            $($class:literal => $type:ident::$read:ident($($argument:expr)?) $(, uncooked $uncooked:ident($source:ident::$read_source:ident))?;)*
        }
    )*) => {
        /// Asset by kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Asset<'a> {
            $($(#[$doc])* $kind(Box<$of>),)*
        }

        /// Kind of an asset.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AssetKind {
            $($(#[$doc])* $kind,)*
        }

        impl AssetKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Returns its name in singular and plural.
            #[must_use]
            pub const fn names(self) -> [&'static str; 2] {
                match self { $(Self::$kind => [$one, $many],)* }
            }

            /// Returns the file formats that such an asset is exported to.
            #[must_use]
            pub const fn forms(self) -> &'static [ExportForm] {
                match self { $(Self::$kind => &[$(ExportForm::$form),*],)* }
            }
        }

        impl Asset<'_> {
            /// Returns its kind.
            #[must_use]
            pub const fn kind(&self) -> AssetKind {
                match self { $(Self::$kind(_) => AssetKind::$kind,)* }
            }
        }

        /// Summary of an asset. Facts that are unknown without files next to the package, or without
        /// properties, are left out.
        ///
        /// ```
        /// use uncask_formats::asset::{LodSummary, MeshSummary, Summary};
        ///
        /// let lods = vec![LodSummary { vertices: Some(24), triangles: Some(12) }];
        /// let cube = MeshSummary { lods, materials: 1, bones: None, nanite_triangles: None };
        /// assert_eq!(
        ///     Summary::StaticMesh(cube).to_string(),
        ///     "mesh: LOD 0 has 24 vertices, 12 triangles; 1 material"
        /// );
        /// ```
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(tag = "kind")]
        pub enum Summary {
            $($(#[$doc])* #[serde(rename = $tag)] $kind($summary),)*
        }

        impl Summary {
            /// Summarises an asset with the properties in `object`.
            #[must_use]
            pub fn new(
                asset: &Asset<'_>,
                scope: &crate::property::Scope<'_>,
                object: &crate::property::Object,
            ) -> Self {
                match asset { $(Asset::$kind(asset) => Self::$kind(asset.summary(scope, object)),)* }
            }

            /// Returns its kind.
            #[must_use]
            pub const fn kind(&self) -> AssetKind {
                match self { $(Self::$kind(_) => AssetKind::$kind,)* }
            }
        }

        impl std::fmt::Display for Summary {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$kind(summary) => summary.fmt(f),)* }
            }
        }

        /// Known classes.
        const CLASSES: &[ClassRow] = &[$($(ClassRow {
            class: $class,
            kind: AssetKind::$kind,
            read: |payload| $type::$read(payload $(, $argument)?).map(|found| Asset::$kind(Box::new(found))),
            read_uncooked: table::assets!(@source $($uncooked($source::$read_source))?),
        },)*)*];
    };
    (@source) => { None };
    (@source $kind:ident($source:ident::$read:ident)) => {
        Some(|payload| $source::$read(payload).map(|found| Asset::$kind(Box::new(found))))
    };
}

pub(super) use assets;
