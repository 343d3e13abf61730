"""Opens the files of a folder with programs that are not uncask, and prints what they find in each as a line of JSON.

PNG and DDS by Pillow, EXR by OpenEXR, sounds by libsndfile. A reader that is not installed gets a line that says so."""

import hashlib
import importlib
import json
import pathlib
import sys

MISSING = set()


def load(module):
    try:
        return importlib.import_module(module)
    except ImportError:
        if module not in MISSING:
            MISSING.add(module)
            print(json.dumps({"missing": module}))
        return None


def digest(data):
    return hashlib.sha256(data).hexdigest()


def png(path):
    image = load("PIL.Image")
    if image is None:
        return None
    with image.open(path) as picture:
        return {"size": picture.size, "mode": picture.mode, "sha256": digest(picture.tobytes())}


def dds(path):
    """The largest difference of red and green to the PNG file of the same name."""
    image = load("PIL.Image")
    if image is None:
        return None
    with image.open(path) as picture, image.open(path.with_suffix(".png")) as other:
        pairs = zip(picture.convert("RGB").tobytes(), other.convert("RGB").tobytes(), strict=True)
        differences = (abs(a - b) for at, (a, b) in enumerate(pairs) if at % 3 < 2)
        return {"size": picture.size, "difference": max(differences)}


def exr(path):
    module, numpy = load("OpenEXR"), load("numpy")
    if module is None or numpy is None:
        return None
    with module.File(str(path), separate_channels=True) as file:
        channels = sorted(file.channels().items(), key=lambda item: "YRGBA".index(item[0]))
        planes = [channel.pixels.astype("<f4") for _, channel in channels]
        data = numpy.stack(planes, axis=-1).tobytes()
        return {"size": planes[0].shape[::-1], "channels": len(planes), "sha256": digest(data)}


def sound(path):
    module = load("soundfile")
    if module is None:
        return None
    samples, rate = module.read(str(path), dtype="int16", always_2d=True)
    frames, channels = samples.shape
    info = module.info(str(path))
    return {
        "rate": rate,
        "frames": frames,
        "channels": channels,
        "format": f"{info.format} {info.subtype}",
        "sha256": digest(samples.astype("<i2").tobytes()),
        "peak": int(abs(samples.astype("i4")).max()),
    }


READERS = {".png": png, ".dds": dds, ".exr": exr, ".wav": sound, ".ogg": sound, ".opus": sound}

for entry in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if entry.suffix in READERS:
        facts = READERS[entry.suffix](entry)
        if facts is not None:
            print(json.dumps({"file": entry.name, **facts}))
