//! What names of assets usually mean: habits of those who make games, of which nothing in a package speaks.

const ENGINE: &str = "/Script/Engine";

/// A class, and how names of its objects usually start.
pub(super) struct Usual {
    starts: &'static [&'static str],
    pub package: &'static str,
    pub class: &'static str,
}

const fn usual(starts: &'static [&'static str], package: &'static str, class: &'static str) -> Usual {
    Usual { starts, package, class }
}

impl Usual {
    /// Package and name of the class.
    pub(super) const fn pair(&self) -> (&'static str, &'static str) {
        (self.package, self.class)
    }

    /// Whether a name starts so.
    pub(super) fn names(&self, name: &str) -> bool {
        let starts =
            |start: &&str| name.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
        self.starts.iter().any(starts)
    }
}

/// Classes of assets; where several fit, the first is the likeliest.
pub(super) const USUAL: &[Usual] = &[
    usual(&["T_", "TX_", "Tex_"], ENGINE, "Texture2D"),
    usual(&["TC_", "HDR_", "T_"], ENGINE, "TextureCube"),
    usual(&["T_", "TA_"], ENGINE, "Texture2DArray"),
    usual(&["VT_", "T_"], ENGINE, "VolumeTexture"),
    usual(&["M_", "MM_", "Mat_"], ENGINE, "Material"),
    usual(&["MI_", "MIC_", "M_", "Mat_"], ENGINE, "MaterialInstanceConstant"),
    usual(&["MF_", "ML_", "MLB_"], ENGINE, "MaterialFunction"),
    usual(&["ML_", "MF_"], ENGINE, "MaterialFunctionMaterialLayer"),
    usual(&["MLB_"], ENGINE, "MaterialFunctionMaterialLayerBlend"),
    usual(&["MPC_"], ENGINE, "MaterialParameterCollection"),
    usual(&["SM_", "S_"], ENGINE, "StaticMesh"),
    usual(&["SKM_", "SK_"], ENGINE, "SkeletalMesh"),
    usual(&["SKEL_", "SK_", "SKM_"], ENGINE, "Skeleton"),
    usual(&["PA_", "PHYS_", "SK_", "SKM_"], ENGINE, "PhysicsAsset"),
    usual(&["AM_", "Montage_"], ENGINE, "AnimMontage"),
    usual(&["A_", "AS_", "Anim_", "MM_", "MF_"], ENGINE, "AnimSequence"),
    usual(&["BS_"], ENGINE, "BlendSpace"),
    usual(&["BS_"], ENGINE, "BlendSpace1D"),
    usual(&["AO_"], ENGINE, "AimOffsetBlendSpace"),
    usual(&["NS_", "FXS_"], "/Script/Niagara", "NiagaraSystem"),
    usual(&["P_", "PS_"], ENGINE, "ParticleSystem"),
    usual(&["DT_"], ENGINE, "DataTable"),
    usual(&["CT_", "Curve_"], ENGINE, "CurveTable"),
    usual(&["C_", "Curve_"], ENGINE, "CurveFloat"),
    usual(&["C_", "Curve_", "CLC_"], ENGINE, "CurveLinearColor"),
    usual(&["CA_", "Atlas_"], ENGINE, "CurveLinearColorAtlas"),
    usual(&["C_", "Curve_"], ENGINE, "CurveVector"),
    usual(&["SSP_", "SP_"], ENGINE, "SubsurfaceProfile"),
    usual(&["SC_", "Cue_", "A_", "S_"], ENGINE, "SoundCue"),
    usual(&["SW_", "S_", "A_"], ENGINE, "SoundWave"),
    usual(&["MS_", "MSS_", "SFX_"], "/Script/MetasoundEngine", "MetaSoundSource"),
    usual(&["ATT_"], ENGINE, "SoundAttenuation"),
    usual(&["SCON_"], ENGINE, "SoundConcurrency"),
    usual(&["SCLASS_"], ENGINE, "SoundClass"),
    usual(&["LS_"], "/Script/LevelSequence", "LevelSequence"),
    usual(&["IA_"], "/Script/EnhancedInput", "InputAction"),
    usual(&["IMC_"], "/Script/EnhancedInput", "InputMappingContext"),
    usual(&["RT_"], ENGINE, "TextureRenderTarget2D"),
    usual(&["PM_"], "/Script/PhysicsCore", "PhysicalMaterial"),
    usual(&["E_"], ENGINE, "UserDefinedEnum"),
    usual(&["F_", "STR_", "S_"], "/Script/CoreUObject", "UserDefinedStruct"),
    usual(&["Font_", "F_"], ENGINE, "Font"),
    usual(&["BT_"], "/Script/AIModule", "BehaviorTree"),
    usual(&["BB_"], "/Script/AIModule", "BlackboardData"),
    usual(&["ST_"], ENGINE, "StringTable"),
    usual(&["LI_"], "/Script/Landscape", "LandscapeLayerInfoObject"),
    usual(&["FT_"], "/Script/Foliage", "FoliageType_InstancedStaticMesh"),
];

/// Classes of classes that were made in the editor.
pub(super) const GENERATED: &[Usual] = &[
    usual(&["ABP_", "AnimBP_"], ENGINE, "AnimBlueprintGeneratedClass"),
    usual(&["WBP_", "W_", "UI_", "UMG_"], "/Script/UMG", "WidgetBlueprintGeneratedClass"),
    usual(&["CR_"], "/Script/ControlRig", "ControlRigBlueprintGeneratedClass"),
    usual(&[""], ENGINE, "BlueprintGeneratedClass"),
];

/// Classes of the objects that an object usually refers to, by its own class.
pub(super) const REFERRED: &[(&[&str], &[&str])] = &[
    (
        &["Material", "MaterialInstanceConstant", "MaterialFunction"],
        &[
            "Texture2D",
            "Material",
            "MaterialFunction",
            "TextureCube",
            "MaterialParameterCollection",
            "CurveLinearColor",
        ],
    ),
    (
        &["StaticMesh", "SkeletalMesh", "World", "BlueprintGeneratedClass"],
        &[
            "Material",
            "MaterialInstanceConstant",
            "StaticMesh",
            "SkeletalMesh",
            "Skeleton",
            "PhysicsAsset",
            "Texture2D",
        ],
    ),
    (
        &["AnimSequence", "AnimMontage", "BlendSpace", "AnimBlueprintGeneratedClass"],
        &["Skeleton", "AnimSequence"],
    ),
    (&["SoundCue"], &["SoundWave", "SoundAttenuation"]),
    (
        &["NiagaraSystem", "ParticleSystem"],
        &["Material", "MaterialInstanceConstant", "StaticMesh", "Texture2D"],
    ),
    (&["WidgetBlueprintGeneratedClass"], &["Texture2D", "Material", "MaterialInstanceConstant", "Font"]),
];

/// Native packages whose classes names of assets may end in.
pub(super) const CLASS_PACKAGES: &[&str] = &[
    ENGINE,
    "/Script/PhysicsCore",
    "/Script/Niagara",
    "/Script/UMG",
    "/Script/LevelSequence",
    "/Script/Foliage",
];

/// Native classes that no asset is of, though names of assets may well end in theirs.
pub(super) const NO_ASSETS: &[&str] = &[
    "Texture",
    "Actor",
    "Pawn",
    "Character",
    "Controller",
    "Level",
    "Brush",
    "Light",
    "Info",
    "Volume",
    "Player",
    "Model",
    "Object",
    "Package",
    "Pickup",
    "Camera",
    "Decal",
    "Trigger",
    "Note",
    "World",
];
