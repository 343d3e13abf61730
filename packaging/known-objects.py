#!/usr/bin/env python3
"""Makes the list of native objects that every game has, from the lists of some games.

    uncask scripts GAME/global.utoc > a.txt      for several games
    packaging/known-objects.py a.txt b.txt … > crates/formats/src/package/zen/known_objects.txt

It keeps the objects of runtime modules that at least two of the games have: a line per name, a tab in front of it for each
object around it. Modules come first, and the objects in them are sorted.
"""

import sys
from collections import Counter

MODULES = """AIModule AnimGraphRuntime AssetRegistry AudioExtensions AudioMixer Chaos ChaosSolverEngine CinematicCamera ClothingSystemRuntimeCommon
CoreUObject DeveloperSettings Engine EnhancedInput EngineSettings FieldSystemEngine Foliage GameplayAbilities GameplayTags GameplayTasks
GeometryCollectionEngine GeometryFramework HeadMountedDisplay InputCore InteractiveToolsFramework Landscape LevelSequence MediaAssets
MetasoundEngine MoviePlayer MovieScene MovieSceneTracks NavigationSystem NetCore Niagara OnlineSubsystemUtils Paper2D PhysicsCore
ProceduralMeshComponent PropertyAccess Slate SlateCore TimeManagement UMG VariantManagerContent WidgetCarousel XRBase""".split()


def main(files):
    counts = Counter(line for file in files for line in set(open(file, encoding="utf-8").read().split("\n")))
    tree = {}
    for path, count in counts.items():
        module, _, rest = path.partition(".")
        if count < 2 or not rest or module.removeprefix("/Script/") not in MODULES:
            continue
        place = tree.setdefault(module, {})
        for name in rest.replace(":", ".").split("."):
            place = place.setdefault(name, {})
    write(tree, "")


def write(tree, indent):
    for name, inner in sorted(tree.items()):
        print(indent + name)
        write(inner, indent + "\t")


main(sys.argv[1:])
