//! Common naming conventions of game assets. Nothing in a package states them.

const ENGINE: &str = "/Script/Engine";

/// A class and the usual prefixes of its objects.
pub(super) struct Usual {
    starts: &'static [&'static str],
    pub package: &'static str,
    pub class: &'static str,
}

const fn usual(starts: &'static [&'static str], package: &'static str, class: &'static str) -> Usual {
    Usual { starts, package, class }
}

impl Usual {
    /// Returns package and name of the class.
    pub(super) const fn pair(&self) -> (&'static str, &'static str) {
        (self.package, self.class)
    }

    /// Returns true if a name has one of the prefixes.
    pub(super) fn names(&self, name: &str) -> bool {
        let starts =
            // `get` also rejects a prefix that would end inside of a character.
            |start: &&str| name.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
        self.starts.iter().any(starts)
    }
}

/// Classes of assets; if several fit, the first is the likeliest.
pub(super) const USUAL: &[Usual] = &[
    // One prefix may stand for several classes, so order and repetition matter here.
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

/// Metaclasses of classes made in the editor.
pub(super) const GENERATED: &[Usual] = &[
    usual(&["ABP_", "AnimBP_"], ENGINE, "AnimBlueprintGeneratedClass"),
    usual(&["WBP_", "W_", "UI_", "UMG_"], "/Script/UMG", "WidgetBlueprintGeneratedClass"),
    usual(&["CR_"], "/Script/ControlRig", "ControlRigBlueprintGeneratedClass"),
    // The empty prefix fits every name, so the plain class comes last.
    usual(&[""], ENGINE, "BlueprintGeneratedClass"),
];

/// Classes usually referred to, by the class of the referring object.
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

/// Native packages whose class names are tried as endings of asset names.
pub(super) const CLASS_PACKAGES: &[&str] = &[
    ENGINE,
    "/Script/PhysicsCore",
    "/Script/Niagara",
    "/Script/UMG",
    "/Script/LevelSequence",
    "/Script/Foliage",
];

/// Native classes without assets, although asset names often end like them.
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
