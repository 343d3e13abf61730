"""Opens glTF files in Blender, and prints each object that has a path as a line of JSON: file, path, name, matrix, instances."""

import json
import sys

try:
    import bpy
except ImportError:
    sys.exit(77)

for path in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    # Only then are matrices those of the scene.
    bpy.context.view_layer.update()
    for thing in bpy.data.objects:
        ue = thing.get("ue")
        facts = ue.to_dict() if ue is not None else {}
        if "path" not in facts:
            continue
        below = list(thing.children_recursive)
        meshes = sum(other.type == "MESH" for other in below)
        outer = thing.parent
        # Objects of other levels have names of their own.
        while outer is not None and "level" not in dict(outer.get("ue") or {}):
            outer = outer.parent
        matrix = [list(row) for row in thing.matrix_world]
        print(json.dumps({
            "file": path, "path": facts["path"], "name": thing.name, "type": thing.type, "matrix": matrix,
            "meshes_below": meshes, "is_inner": outer is not None,
        }))
