//! Base classes of native classes, for packages read without mappings. Lists only classes whose exports
//! hold more than properties or that scenes show, and their common descendants.

use std::sync::Arc;

/// Native classes with their direct bases.
const BASES: &[(&str, &str)] = &[
    ("ActorComponent", "Object"),
    ("SceneComponent", "ActorComponent"),
    ("PrimitiveComponent", "SceneComponent"),
    ("MeshComponent", "PrimitiveComponent"),
    ("StaticMeshComponent", "MeshComponent"),
    ("InstancedStaticMeshComponent", "StaticMeshComponent"),
    ("HierarchicalInstancedStaticMeshComponent", "InstancedStaticMeshComponent"),
    ("FoliageInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("GrassInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("SplineMeshComponent", "StaticMeshComponent"),
    ("LandscapeNaniteComponent", "StaticMeshComponent"),
    ("LandscapeMeshProxyComponent", "StaticMeshComponent"),
    ("SkinnedMeshComponent", "MeshComponent"),
    ("SkeletalMeshComponent", "SkinnedMeshComponent"),
    ("PoseableMeshComponent", "SkinnedMeshComponent"),
    ("LandscapeComponent", "PrimitiveComponent"),
    ("LandscapeHeightfieldCollisionComponent", "PrimitiveComponent"),
    ("LandscapeSplinesComponent", "PrimitiveComponent"),
    ("BrushComponent", "PrimitiveComponent"),
    ("ShapeComponent", "PrimitiveComponent"),
    ("BoxComponent", "ShapeComponent"),
    ("SphereComponent", "ShapeComponent"),
    ("CapsuleComponent", "ShapeComponent"),
    ("SplineComponent", "PrimitiveComponent"),
    ("TextRenderComponent", "PrimitiveComponent"),
    ("BillboardComponent", "PrimitiveComponent"),
    ("ArrowComponent", "PrimitiveComponent"),
    ("DecalComponent", "SceneComponent"),
    ("CameraComponent", "SceneComponent"),
    ("CineCameraComponent", "CameraComponent"),
    ("LevelInstanceComponent", "SceneComponent"),
    ("SpringArmComponent", "SceneComponent"),
    ("AudioComponent", "SceneComponent"),
    ("ChildActorComponent", "SceneComponent"),
    ("WidgetComponent", "MeshComponent"),
    ("FXSystemComponent", "PrimitiveComponent"),
    ("NiagaraComponent", "FXSystemComponent"),
    ("ParticleSystemComponent", "FXSystemComponent"),
    ("LightComponentBase", "SceneComponent"),
    ("LightComponent", "LightComponentBase"),
    ("DirectionalLightComponent", "LightComponent"),
    ("SkyLightComponent", "LightComponentBase"),
    ("LocalLightComponent", "LightComponent"),
    ("PointLightComponent", "LocalLightComponent"),
    ("SpotLightComponent", "PointLightComponent"),
    ("RectLightComponent", "LocalLightComponent"),
    ("SkyAtmosphereComponent", "SceneComponent"),
    ("ExponentialHeightFogComponent", "SceneComponent"),
    ("VolumetricCloudComponent", "SceneComponent"),
    ("PostProcessComponent", "SceneComponent"),
    ("SceneCaptureComponent", "SceneComponent"),
    ("SceneCaptureComponent2D", "SceneCaptureComponent"),
    ("ReflectionCaptureComponent", "SceneComponent"),
    ("SphereReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("BoxReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("MovementComponent", "ActorComponent"),
    ("NavMovementComponent", "MovementComponent"),
    ("PawnMovementComponent", "NavMovementComponent"),
    ("CharacterMovementComponent", "PawnMovementComponent"),
    ("FloatingPawnMovement", "PawnMovementComponent"),
    ("ProjectileMovementComponent", "MovementComponent"),
    ("RotatingMovementComponent", "MovementComponent"),
    ("InputComponent", "ActorComponent"),
    ("AIPerceptionComponent", "ActorComponent"),
    ("TimelineComponent", "ActorComponent"),
    ("Actor", "Object"),
    ("Info", "Actor"),
    ("WorldSettings", "Info"),
    ("WorldDataLayers", "Info"),
    ("GameModeBase", "Info"),
    ("GameMode", "GameModeBase"),
    ("GameStateBase", "Info"),
    ("GameState", "GameStateBase"),
    ("PlayerState", "Info"),
    ("Controller", "Actor"),
    ("PlayerController", "Controller"),
    ("AIController", "Controller"),
    ("Pawn", "Actor"),
    ("Character", "Pawn"),
    ("DefaultPawn", "Pawn"),
    ("StaticMeshActor", "Actor"),
    ("SkeletalMeshActor", "Actor"),
    ("CameraActor", "Actor"),
    ("CineCameraActor", "CameraActor"),
    ("InstancedFoliageActor", "Actor"),
    ("LandscapeProxy", "Actor"),
    ("Landscape", "LandscapeProxy"),
    ("LandscapeStreamingProxy", "LandscapeProxy"),
    ("LODActor", "Actor"),
    ("WorldPartitionHLOD", "Actor"),
    ("Brush", "Actor"),
    ("Volume", "Brush"),
    ("BlockingVolume", "Volume"),
    ("TriggerVolume", "Volume"),
    ("PhysicsVolume", "Volume"),
    ("DefaultPhysicsVolume", "PhysicsVolume"),
    ("PostProcessVolume", "Volume"),
    ("NavMeshBoundsVolume", "Volume"),
    ("Light", "Actor"),
    ("PointLight", "Light"),
    ("SpotLight", "Light"),
    ("DirectionalLight", "Light"),
    ("SkyLight", "Info"),
    ("SkyAtmosphere", "Info"),
    ("ExponentialHeightFog", "Info"),
    ("NavigationObjectBase", "Actor"),
    ("PlayerStart", "NavigationObjectBase"),
    ("LevelScriptActor", "Actor"),
    ("NavigationData", "Actor"),
    ("RecastNavMesh", "NavigationData"),
    ("GameplayDebuggerPlayerManager", "Actor"),
    ("AbstractNavData", "NavigationData"),
    ("LevelInstance", "Actor"),
    ("PackedLevelActor", "LevelInstance"),
    ("LevelStreaming", "Object"),
    ("LevelStreamingDynamic", "LevelStreaming"),
    ("LevelStreamingAlwaysLoaded", "LevelStreaming"),
    ("LevelStreamingPersistent", "LevelStreaming"),
    ("WorldPartitionLevelStreamingDynamic", "LevelStreamingDynamic"),
    ("LevelBounds", "Actor"),
    ("DecalActor", "Actor"),
    ("TextRenderActor", "Actor"),
    ("Note", "Actor"),
    ("Emitter", "Actor"),
    ("NiagaraActor", "Actor"),
    ("HUD", "Actor"),
    ("SoundNode", "Object"),
    ("SoundNodeAssetReferencer", "SoundNode"),
    ("SoundNodeWavePlayer", "SoundNodeAssetReferencer"),
    ("SoundNodeMixer", "SoundNode"),
    ("SoundNodeRandom", "SoundNode"),
    ("SoundNodeModulator", "SoundNode"),
    ("SoundNodeAttenuation", "SoundNode"),
    ("SoundNodeLooping", "SoundNode"),
    ("SoundNodeDelay", "SoundNode"),
    ("SoundNodeSwitch", "SoundNode"),
    ("SoundNodeConcatenator", "SoundNode"),
    ("CompositeDataTable", "DataTable"),
    ("CommonGenericInputActionDataTable", "DataTable"),
    ("CompositeCurveTable", "CurveTable"),
    ("AnimationAsset", "Object"),
    ("AnimSequenceBase", "AnimationAsset"),
    ("AnimCompositeBase", "AnimSequenceBase"),
    ("AnimMontage", "AnimCompositeBase"),
    ("AnimComposite", "AnimCompositeBase"),
    ("AnimSequence", "AnimSequenceBase"),
    ("BlendSpace", "AnimationAsset"),
    ("BlendSpaceBase", "AnimationAsset"),
    ("BlendSpace1D", "BlendSpace"),
    ("AimOffsetBlendSpace", "BlendSpace"),
    ("AimOffsetBlendSpace1D", "BlendSpace1D"),
    ("PoseAsset", "AnimationAsset"),
    ("MaterialInterface", "Object"),
    ("Material", "MaterialInterface"),
    ("MaterialInstance", "MaterialInterface"),
    ("MaterialInstanceConstant", "MaterialInstance"),
    ("MaterialInstanceDynamic", "MaterialInstance"),
    ("LandscapeMaterialInstanceConstant", "MaterialInstanceConstant"),
    ("UserDefinedEnum", "Enum"),
    ("ScriptStruct", "Struct"),
    ("UserDefinedStruct", "ScriptStruct"),
    ("Function", "Struct"),
    ("DelegateFunction", "Function"),
    ("SparseDelegateFunction", "DelegateFunction"),
    ("Class", "Struct"),
    ("BlueprintGeneratedClass", "Class"),
    ("WidgetBlueprintGeneratedClass", "BlueprintGeneratedClass"),
    ("AnimBlueprintGeneratedClass", "BlueprintGeneratedClass"),
    ("DynamicClass", "Class"),
    ("LevelScriptBlueprint", "Blueprint"),
    ("Struct", "Field"),
    ("Enum", "Field"),
];

/// Appends the bases of the last class of a chain, as far as they are known.
pub(super) fn complete(names: &mut Vec<Arc<str>>) {
    while let Some(last) = names.last() {
        let Some((_, base)) = BASES.iter().find(|(name, _)| name.eq_ignore_ascii_case(last)) else {
            // Engines and plugins add classes such as `RigVMBlueprintGeneratedClass`; all extend the common
            // one.
            let generated = last.ends_with("GeneratedClass") && !last.eq_ignore_ascii_case(GENERATED);
            if generated {
                names.push(GENERATED.into());
                continue;
            }
            return;
        };
        names.push((*base).into());
    }
}

const GENERATED: &str = "BlueprintGeneratedClass";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_ends() {
        for (name, _) in BASES {
            let mut names: Vec<Arc<str>> = vec![(*name).into()];
            complete(&mut names);
            assert!(names.len() < 12, "{names:?}");
        }
    }

    #[test]
    fn generated_classes_of_plugins_are_classes() {
        let mut names: Vec<Arc<str>> = vec!["RigVMBlueprintGeneratedClass".into()];
        complete(&mut names);
        assert_eq!(names.last().unwrap().as_ref(), "Field");
    }
}
