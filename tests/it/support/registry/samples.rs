//! Registries to write.

use super::{Asset, Class, Name, Node, Package, Registry, Value, plain};

/// Versions with numbers for names; `early` has those before.
pub(crate) const VERSIONS: std::ops::RangeInclusive<u32> = 2..=24;

impl Registry {
    /// Three packages of a game, with every kind of record and value that the version has.
    pub(crate) fn sample(version: u32) -> Self {
        let engine = |class: &str| (Some(plain("/Script/Engine")), plain(class));
        let hero_tags = vec![
            (plain("Title"), Value::Ansi("Hero".into())),
            (plain("Motto"), Value::Wide("Größe 🦀".into())),
            (plain("Skeleton"), Value::Name(plain("SK_Hero"))),
            (plain("Variant"), Value::Name(("Hero".into(), 5))),
            (plain("Mesh"), Value::Path(engine("SkeletalMesh"), plain("SK_Hero"), plain("/Game/SK_Hero"))),
            (plain("Rank"), Value::Path(engine("Rank"), ("Rank".into(), 3), plain("/Game/Ranks"))),
            (plain("Name"), Value::Text(r#"NSLOCTEXT("G", "K", "Hero")"#.into())),
        ];
        let hero = Asset {
            tags: hero_tags,
            bundles: vec![(
                plain("Client"),
                vec![
                    (engine("A"), String::new()),
                    ((Some(plain("/Game/SK_Hero")), plain("SK_Hero")), "Below.Größe".into()),
                ],
            )],
            chunks: vec![0, 7],
            package_flags: 0x8000_0000,
            ..Asset::of("/Game", "Hero", engine("Blueprint"))
        };
        let level = Asset {
            tags: vec![
                (("Tag".into(), 2), Value::Ansi("a level".into())),
                (plain("Title"), Value::Ansi("L".into())),
            ],
            package_flags: 0x2_0000,
            ..Asset::of("/Game/Maps", "Start", engine("World"))
        };
        let other = Asset::of("/Game/Maps", "Größe_04", engine("Texture2D"));
        let package = |name: &str| [Some(plain(name)), None, None, None];
        let nodes = vec![
            Node {
                identifier: package("/Game/Maps/Start"),
                lists: [
                    vec![(1, 0x1F), (2, 0x0A)],
                    vec![(2, 0)],
                    vec![(3, 0)],
                    vec![(4, 1)],
                    vec![(1, 0)],
                    vec![],
                ],
            },
            Node {
                identifier: package("/Game/Hero"),
                lists: [vec![(2, 1)], vec![], vec![], vec![], vec![], vec![(0, 0)]],
            },
            Node { identifier: package("/Script/Engine"), ..Node::default() },
            Node {
                identifier: [Some(plain("/Game/Hero")), None, Some(plain("Hero")), Some(("Value".into(), 1))],
                ..Node::default()
            },
            Node {
                identifier: [Some(plain("Hero")), Some(plain("Character")), None, None],
                ..Node::default()
            },
        ];
        let packages = vec![
            Package {
                disk_size: 4096,
                cooked_hash: Some([0xC0; 16]),
                chunk_hashes: vec![([0x1D; 12], [0xA5; 20])],
                custom_versions: vec![([0x22; 16], 3)],
                imported_classes: vec![plain("Blueprint"), ("Class".into(), 4)],
                ..Package::of("/Game/Hero")
            },
            Package { disk_size: -1, ..Package::of("/Game/Maps/Start") },
        ];
        Self { version, is_filtered: true, assets: vec![hero, level, other], nodes, packages }.limited()
    }

    /// The sample without what the version does not have.
    fn limited(mut self) -> Self {
        let version = self.version;
        self.is_filtered &= version >= 16;
        for asset in &mut self.assets {
            asset.limit(version, self.is_filtered);
        }
        for node in &mut self.nodes {
            node.limit(version);
        }
        for package in &mut self.packages {
            package.limit(version);
        }
        if version < 4 {
            self.nodes.clear();
            self.packages.clear();
        }
        self
    }

    /// Anything that a version can have.
    pub(crate) fn random(version: u32, seed: u64) -> Self {
        let mut dice = Dice(seed);
        let nodes = dice.below(5);
        Self {
            version,
            is_filtered: dice.below(2) == 0,
            assets: dice.some(6, Dice::asset),
            nodes: (0..nodes).map(|_| dice.node(nodes)).collect(),
            packages: dice.some(4, Dice::package),
        }
        .limited()
    }
}

impl Asset {
    /// An asset named like its package.
    pub(crate) fn of(folder: &str, name: &str, class: Class) -> Self {
        Self {
            object_path: Some(plain(&format!("{folder}/{name}.{name}"))),
            folder: plain(folder),
            class,
            group: Some(plain("None")),
            package: plain(&format!("{folder}/{name}")),
            name: plain(name),
            outer: Some(plain("None")),
            ..Self::default()
        }
    }

    fn limit(&mut self, version: u32, is_filtered: bool) {
        let short = |class: &mut Class| {
            if version < 14 {
                class.0 = None;
            }
        };
        short(&mut self.class);
        self.object_path = self.object_path.take().filter(|_| version < 15);
        self.group = self.group.take().filter(|_| version < 4);
        self.outer = self.outer.take().filter(|_| version >= 15 && !is_filtered);
        if version < 8 {
            self.bundles.clear();
        }
        for (class, _) in self.bundles.iter_mut().flat_map(|(_, assets)| assets) {
            short(class);
        }
        for (_, value) in &mut self.tags {
            match value {
                Value::Path(class, ..) if version >= 8 => short(class),
                Value::Ansi(_) => {}
                Value::Wide(text) | Value::Text(text) if version < 8 => {
                    *value = Value::Ansi(std::mem::take(text));
                }
                other if version < 8 => *other = Value::Ansi("other".into()),
                _ => {}
            }
        }
    }
}

impl Node {
    /// Later versions have one list for hard and soft.
    fn limit(&mut self, version: u32) {
        let manage = if version >= 22 { 7 } else { 1 };
        let masks = if version < 7 { [0; 6] } else { [0x1F, 0, 0, manage, 0, 0] };
        if version >= 7 {
            self.lists[1].clear();
        }
        if !(5..7).contains(&version) {
            self.lists[4].clear();
        }
        for (list, mask) in self.lists.iter_mut().zip(masks) {
            for (_, flags) in list {
                *flags &= mask;
            }
        }
    }
}

impl Package {
    /// A package with everything that has to be there.
    pub(crate) fn of(name: &str) -> Self {
        Self {
            name: plain(name),
            guid: Some([0x61; 16]),
            saved_hash: Some([0x5A; 20]),
            saved_with: Some((522, 1013, 0, 9)),
            extension: Some("uasset".into()),
            location: Some(0),
            ..Self::default()
        }
    }

    fn limit(&mut self, version: u32) {
        self.guid = self.guid.filter(|_| version < 20);
        self.saved_hash = self.saved_hash.filter(|_| version >= 20);
        self.cooked_hash = self.cooked_hash.filter(|_| version >= 6);
        self.saved_with = self.saved_with.filter(|_| version >= 9);
        self.extension = self.extension.take().filter(|_| version >= 17);
        self.location = self.location.filter(|_| (18..24).contains(&version));
        if let Some((_, ue5, ..)) = self.saved_with.as_mut().filter(|_| version < 11) {
            *ue5 = 0;
        }
        if version < 13 {
            self.chunk_hashes.clear();
        }
        if version < 10 {
            self.imported_classes.clear();
        }
        if version < 9 {
            self.custom_versions.clear();
        }
    }
}

/// Chance, the same for the same seed.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 27)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn number(&mut self) -> u32 {
        u32::try_from(self.next() >> 32).expect("half of it")
    }

    fn some<T>(&mut self, limit: u64, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(limit)).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    fn text(&mut self) -> String {
        const CHARS: [char; 8] = ['a', 'Z', '/', '.', ' ', 'ü', '語', '🦀'];
        let chars = self.some(9, |dice| CHARS[usize::try_from(dice.below(8)).expect("small")]);
        if self.below(2) == 0 { chars.into_iter().collect() } else { format!("t{}", self.below(20)) }
    }

    fn name(&mut self) -> Name {
        let number = if self.below(3) == 0 { u32::try_from(self.below(1000)).expect("small") } else { 0 };
        (self.text(), number)
    }

    fn class(&mut self) -> Class {
        (Some(self.name()), self.name())
    }

    fn value(&mut self) -> Value {
        match self.below(5) {
            0 => Value::Ansi(self.text()),
            1 => Value::Wide(self.text()),
            2 => Value::Name(self.name()),
            3 => Value::Path(self.class(), self.name(), self.name()),
            _ => Value::Text(self.text()),
        }
    }

    fn asset(&mut self) -> Asset {
        Asset {
            object_path: Some(self.name()),
            folder: self.name(),
            class: self.class(),
            group: Some(self.name()),
            package: self.name(),
            name: self.name(),
            outer: Some(self.name()),
            tags: self.some(6, |dice| (dice.name(), dice.value())),
            bundles: self.some(3, |dice| (dice.name(), dice.some(4, |dice| (dice.class(), dice.text())))),
            chunks: self.some(4, |dice| dice.number().cast_signed()),
            package_flags: self.number(),
        }
    }

    fn node(&mut self, nodes: u64) -> Node {
        let number = |dice: &mut Self| (u32::try_from(dice.below(nodes)).expect("small"), dice.number());
        Node {
            identifier: [(); 4].map(|()| self.maybe(Self::name)),
            lists: [(); 6].map(|()| self.some(15, number)),
        }
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        [(); N].map(|()| self.next().to_le_bytes()[0])
    }

    fn package(&mut self) -> Package {
        Package {
            name: self.name(),
            disk_size: self.next().cast_signed(),
            guid: Some(self.bytes()),
            saved_hash: Some(self.bytes()),
            cooked_hash: self.maybe(Self::bytes),
            chunk_hashes: self.some(3, |dice| (dice.bytes(), dice.bytes())),
            saved_with: Some([(); 4].map(|()| self.number()))
                .map(|[a, b, c, d]| (a.cast_signed(), b.cast_signed(), c.cast_signed(), d)),
            custom_versions: self.some(3, |dice| (dice.bytes(), dice.number().cast_signed())),
            imported_classes: self.some(3, Self::name),
            extension: Some(self.text()),
            location: Some(self.bytes::<1>()[0]),
        }
    }
}
