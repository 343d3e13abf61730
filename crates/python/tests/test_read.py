"""Content of single chunks."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

import uncask

MAP = "/Game/Maps/Start"
KEY = "0x435545345061727365466978747572654145534B657930313233343536373839"


def expected(file: Path) -> dict[str, tuple[str, int, str]]:
    """Path, length and SHA-256 by chunk id, as another reader saw them."""
    rows = (line.split("\t") for line in file.read_text().splitlines())
    return {row[0]: (row[1], int(row[2]), row[3]) for row in rows}


@pytest.mark.parametrize("form", ["Uncompressed", "Zlib", "Oodle", "OodleEncrypted", "OodlePartitioned"])
def test_real_chunks_have_the_content_that_another_reader_saw(corpus: Path, form: str) -> None:
    folder = corpus / "iostore/ue5.8/tagged"
    game = uncask.open(folder / form, keys=KEY)
    rows = expected(folder / "expected.tsv")
    compared = 0
    for entry in game:
        if entry.chunk_id not in rows:
            continue
        path, size, sha256 = rows[entry.chunk_id]
        content = game.read(entry)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (size, sha256), entry.path
        assert path in ("-", f"../../../{entry.path}")
        assert entry.encrypted == (form == "OodleEncrypted")
        compared += 1
    assert compared > 100, compared


def test_content_is_what_the_command_gets(
    demo: uncask.Game, testdata: Path, command: Callable[..., bytes]
) -> None:
    for entry in demo:
        assert command("get", str(testdata / "demo"), entry.chunk_id) == demo.read(entry), entry.path


def test_parts(demo: uncask.Game) -> None:
    whole = demo.read(MAP)
    assert demo.read(MAP, 100, 70_000) == whole[100:70_100]
    assert demo.read(MAP, len(whole) - 5) == whole[-5:]
    assert demo.read(MAP, size=0) == b""
    assert demo.read(MAP, len(whole) + 5) == b""
    with pytest.raises(OverflowError):
        demo.read(MAP, -1)


def test_into_buffers(demo: uncask.Game) -> None:
    whole = demo.read(MAP)
    buffer = bytearray(len(whole) + 3)
    assert demo.read_into(MAP, buffer) == len(whole)
    assert buffer == whole + b"\0\0\0"
    with pytest.raises(uncask.InvalidArgument, match="buffer has 5 bytes, 136053 needed"):
        demo.read_into(MAP, bytearray(5))
    with pytest.raises(TypeError):
        demo.read_into(MAP, whole)  # it cannot be written


def test_numpy(demo: uncask.Game) -> None:
    numpy = pytest.importorskip("numpy")
    whole = demo.read(MAP)
    assert numpy.frombuffer(whole, numpy.uint8).tobytes() == whole
    words = numpy.zeros(len(whole) // 4 + 1, numpy.uint32)
    demo.read_into(MAP, words)
    assert words.tobytes()[: len(whole)] == whole


def test_chunks_may_be_larger_than_the_memory(testdata: Path) -> None:
    game = uncask.open(testdata / "demo", memory=64 << 10)
    entry = game["/Game/Maps/Cave"]
    with pytest.raises(uncask.LimitExceeded, match="size of a chunk"):
        game.read(entry)
    buffer = bytearray(entry.size)
    game.read_into(entry, buffer)
    assert buffer == uncask.open(testdata / "demo").read(entry.path)


def test_damaged_content(testdata: Path, tmp_path: Path) -> None:
    for name in ["pakchunk0-Demo_0_P.utoc", "pakchunk0-Demo_0_P.ucas"]:
        (tmp_path / name).write_bytes((testdata / "demo" / name).read_bytes())
    data = tmp_path / "pakchunk0-Demo_0_P.ucas"
    content = bytearray(data.read_bytes())
    content[1000] ^= 1
    data.write_bytes(content)
    game = uncask.open(tmp_path)
    (entry,) = game.glob("*.umap")
    with pytest.raises(uncask.Damaged, match="content hash is"):
        game.read(entry)
    outcome = game.verify()
    assert [failure.chunk_id for failure in outcome.mismatches] == [entry.chunk_id]
    data.write_bytes(content[:500])
    with pytest.raises(uncask.DataMissing, match="cut off"):
        uncask.open(tmp_path).read(entry.path if entry.has_path else entry.chunk_id)


def test_packages(demo: uncask.Game, testdata: Path, command: Callable[..., bytes]) -> None:
    package = demo.package(MAP)
    assert package["name"] == MAP
    assert package["exports"][0]["class"]["path"] == "/Script/Engine.World"
    inspected = command("inspect", f"{testdata / 'demo'}:{MAP}", "--json")
    assert package == json.loads(inspected)["content"]
    with pytest.raises(uncask.NotAPackage):
        demo.package("DefaultGame.ini")
    with pytest.raises(uncask.NotAPackage):
        demo.properties("DefaultGame.ini")


def test_packages_in_paks(corpus: Path) -> None:
    game = uncask.open(corpus / "pak/ue5.8/legacy/Tagged")
    headers = game.glob("*.uasset")
    assert len(headers) >= 4
    for entry in headers:
        package = game.package(entry)
        assert package["exports"] and package["imports"], entry.path


def test_properties(corpus: Path) -> None:
    folder = corpus / "iostore/ue5.8"
    usmap = corpus / "properties/ue5.8/mappings/Oodle.usmap"
    name = "/Game/Fixtures/Properties/DA_AllProperties"
    for cook in ["tagged", "unversioned"]:
        base = folder / cook / "global.utoc"
        game = uncask.open(folder / cook / "Uncompressed", base=base, mappings=usmap)
        (asset,) = [each for each in game.properties(name) if each["Name"] == "DA_AllProperties"]
        assert asset["Properties"]["Integer"] == 305_419_896, cook
        assert asset["Properties"]["bBoolean"] is True
    with pytest.raises(uncask.MappingsMissing, match=".usmap"):
        uncask.open(folder / "unversioned/Uncompressed").properties(name)


def test_properties_are_what_the_command_prints(
    demo: uncask.Game, testdata: Path, command: Callable[..., bytes]
) -> None:
    assert demo.properties(MAP) == json.loads(command("json", str(testdata / "demo"), MAP))


def test_many_threads_read_at_once(demo: uncask.Game) -> None:
    whole, wrong = demo.read(MAP), []

    def work() -> None:
        for _ in range(20):
            if demo.read(MAP) != whole:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _in_fork(game: uncask.Game, queue: Any) -> None:
    try:
        game.read(MAP)
    except RuntimeError as error:
        queue.put(str(error))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_says_that_the_game_has_to_be_opened_again(demo: uncask.Game) -> None:
    assert sys.platform != "win32"  # mypy understands this, not the mark
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_in_fork, args=(demo, queue))
    process.start()
    assert "open it again" in queue.get(timeout=30)
    process.join(30)


def test_code_is_what_the_command_prints(
    demo: uncask.Game, testdata: Path, command: Callable[..., bytes]
) -> None:
    name = "/Game/Blueprints/BP_Door"
    printed = command("code", str(testdata / "demo"), name).decode()
    assert demo.code(name) == printed.replace("\r\n", "\n")
    assert "class BP_Door_C : Actor {" in printed
    assert demo.code(name, "listing") == ""
    assert demo.code(name, function="Open") == ""
    with pytest.raises(uncask.errors.InvalidArgument):
        demo.code(name, "c++")  # type: ignore[arg-type]
    with pytest.raises(uncask.UncaskError):
        demo.code("DefaultGame.ini")
