/// Key of a custom version: a number counted by one part of the engine, identified by a GUID.
///
/// The GUID is given as its four numbers, in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CustomVersionKey(
    /// The four numbers of the GUID.
    pub [u32; 4],
);

impl CustomVersionKey {
    /// Key of `FFortniteMainBranchObjectVersion`.
    pub const FORTNITE_MAIN: Self = VersionPart::FortniteMain.key();
    /// Key of `FUE5MainStreamObjectVersion`.
    pub const UE5_MAIN: Self = VersionPart::Ue5Main.key();
    /// Key of `FUE5ReleaseStreamObjectVersion`.
    pub const UE5_RELEASE: Self = VersionPart::Ue5Release.key();
    /// Key of `FReleaseObjectVersion`.
    pub const RELEASE: Self = VersionPart::Release.key();

    /// Returns the bytes of the GUID in file order.
    #[must_use]
    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // Each of the four numbers is little-endian in the file.
        for (chunk, part) in bytes.chunks_exact_mut(4).zip(self.0) {
            chunk.copy_from_slice(&part.to_le_bytes());
        }
        bytes
    }
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident = [$a:literal, $b:literal, $c:literal, $d:literal];)*) => {
        /// A part of the engine that counts the versions of its serialized data.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum VersionPart { $($(#[$doc])* $name,)* }

        impl VersionPart {
            /// All parts, in the order of their numbers.
            pub(super) const ALL: &[Self] = &[$(Self::$name,)*];
            /// Number of parts.
            pub(super) const COUNT: usize = Self::ALL.len();

            /// Returns the key by which packages record it.
            pub(super) const fn key(self) -> CustomVersionKey {
                match self { $(Self::$name => CustomVersionKey([$a, $b, $c, $d]),)* }
            }
        }
    };
}

parts! {
    /// `FCoreObjectVersion`.
    Core = [0x375E_C13C, 0x06E4_48FB, 0xB500_84F0, 0x262A_717E];
    /// `FBlueprintsObjectVersion`.
    Blueprints = [0xB0D8_32E4, 0x1F89_4F0D, 0xACCF_7EB7, 0x36FD_4AA2];
    /// `FFrameworkObjectVersion`.
    Framework = [0xCFFC_743F, 0x43B0_4480, 0x9391_14DF, 0x171D_2073];
    /// `FEditorObjectVersion`.
    Editor = [0xE4B0_68ED, 0xF494_42E9, 0xA231_DA0B, 0x2E46_BB41];
    /// `FEnterpriseObjectVersion`.
    Enterprise = [0x9DFF_BCD6, 0x494F_0158, 0xE221_1282, 0x3C92_A888];
    /// `FReleaseObjectVersion`.
    Release = [0x9C54_D522, 0xA826_4FBE, 0x9421_0746, 0x61B4_82D0];
    /// `FRenderingObjectVersion`.
    Rendering = [0x12F8_8B9F, 0x8875_4AFC, 0xA67C_D90C, 0x383A_BD29];
    /// `FSequencerObjectVersion`.
    Sequencer = [0x7B5A_E74C, 0xD270_4C10, 0xA958_5798, 0x0B21_2A5A];
    /// `FAnimObjectVersion`.
    Anim = [0xAF43_A65D, 0x7FD3_4947, 0x9873_3E8E, 0xD9C1_BB05];
    /// `FAnimPhysObjectVersion`.
    AnimPhys = [0x29E5_75DD, 0xE0A3_4627, 0x9D10_D276, 0x232C_DCEA];
    /// `FSkeletalMeshCustomVersion`.
    SkeletalMesh = [0xD78A_4A00, 0xE858_4697, 0xBAA8_19B5, 0x487D_46B4];
    /// `FRecomputeTangentCustomVersion`.
    RecomputeTangent = [0x5579_F886, 0x933A_4C1F, 0x83BA_087B, 0x6361_B92F];
    /// `FNiagaraObjectVersion`.
    NiagaraObject = [0xF2AE_D0AC, 0x9AFE_416F, 0x8664_AA7F, 0xFA26_D6FC];
    /// `FNiagaraCustomVersion`.
    Niagara = [0xFCF5_7AFA, 0x5076_4283, 0xB9A9_E658, 0xFFA0_2D32];
    /// `FFortniteMainBranchObjectVersion`.
    FortniteMain = [0x601D_1886, 0xAC64_4F84, 0xAA16_D3DE, 0x0DEA_C7D6];
    /// `FFortniteReleaseBranchCustomObjectVersion`.
    FortniteRelease = [0xE708_6368, 0x6B23_4C58, 0x8439_1B70, 0x1626_5E91];
    /// `FUE5MainStreamObjectVersion`.
    Ue5Main = [0x697D_D581, 0xE64F_41AB, 0xAA4A_51EC, 0xBEB7_B628];
    /// `FUE5ReleaseStreamObjectVersion`.
    Ue5Release = [0xD89B_5E42, 0x24BD_4D46, 0x8412_ACA8, 0xDF64_1779];
    /// `FUE5SpecialProjectStreamObjectVersion`.
    Ue5Special = [0x59DA_5D52, 0x1232_4948, 0xB878_5978, 0x70B8_E98B];
    /// `FInstancedStructCustomVersion`.
    InstancedStruct = [0xE21E_1CAA, 0xAF47_425E, 0x89BF_6AD4, 0x4C44_A8BB];
    /// `FPropertyBagCustomVersion`.
    PropertyBag = [0x134A_157E, 0xD5E2_49A3, 0x8D4E_843C, 0x98FE_9E31];
    /// `FInstancedOverridablePropertyBagCustomVersion`.
    OverridableBag = [0x5426_C227, 0x4B31_45B2, 0x9B9B_ED1F, 0x327F_B126];
}
