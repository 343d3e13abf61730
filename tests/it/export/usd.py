"""Opens stages of USD, and prints each prim that has a path as a line of JSON: file, path, matrix, instances, meshes, materials."""

import json
import sys

try:
    from pxr import Usd, UsdGeom, UsdShade
except ImportError:
    sys.exit(77)


def meshes(prim):
    """Meshes at or below a prim, those of other components left out."""
    for below in Usd.PrimRange(prim, Usd.TraverseInstanceProxies()):
        if below.IsA(UsdGeom.Mesh):
            yield UsdGeom.Mesh(below)


for path in sys.argv[1:]:
    stage = Usd.Stage.Open(path)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    for prim in stage.Traverse():
        facts = prim.GetCustomDataByKey("ue") or {}
        if "path" not in facts:
            continue
        matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default())
        outer = prim.GetParent()
        while outer and "level" not in (outer.GetCustomDataByKey("ue") or {}):
            outer = outer.GetParent()
        instances, own, faces, bound, subsets = 0, 0, 0, 0, 0
        for child in prim.GetChildren():
            if (child.GetCustomDataByKey("ue") or {}).get("path"):
                continue
            if child.IsA(UsdGeom.PointInstancer):
                placed = UsdGeom.PointInstancer(child).ComputeInstanceTransformsAtTime(
                    Usd.TimeCode.Default(), Usd.TimeCode.Default())
                instances += len(placed)
            for mesh in meshes(child):
                own += 1
                counts = mesh.GetFaceVertexCountsAttr().Get()
                indices = mesh.GetFaceVertexIndicesAttr().Get()
                points = mesh.GetPointsAttr().Get()
                assert sum(counts) == len(indices) and max(indices) < len(points)
                assert len(mesh.GetNormalsAttr().Get()) == len(points)
                faces += len(counts)
                for subset in UsdGeom.Subset.GetAllGeomSubsets(mesh):
                    subsets += 1
                    material, _ = UsdShade.MaterialBindingAPI(subset.GetPrim()).ComputeBoundMaterial()
                    bound += bool(material)
        print(json.dumps({
            "file": path, "path": facts["path"], "type": str(prim.GetTypeName()), "matrix": [list(row) for row in matrix],
            "instances": instances, "meshes": own, "faces": faces, "subsets": subsets, "bound": bound,
            "is_inner": bool(outer),
        }))
