"""What many workers cost and gain: a part beside the whole, workers beside `--shard`, workers far from their data, and the driver.

    python crates/python/benches/scale.py [--mib 512] [--tables FOLDER]

Needs pyarrow, and the command `uncask` in target/release, or where UNCASK says. Prints ratios, each of medians of runs in turns. The
game is made here: files of 64 KiB, compressed. FOLDER has a table of a million chunks, which
`UNCASK_BENCH_TABLES=FOLDER cargo bench --bench scale` makes.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Callable

import uncask

ROOT = Path(__file__).parents[3]
PROGRAM = os.environ.get("UNCASK", str(ROOT / "target/release/uncask"))
ROUNDS = 3
FILE = 64 << 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--mib", type=int, default=512)
    arguments.add_argument("--tables", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        game = make(Path(folder), given.mib)
        one_part_and_many(game, given.mib)
        workers_and_shards(game, given.mib)
        far_away(game, given.mib)
    if given.tables:
        driver(given.tables)


def make(folder: Path, mib: int) -> Path:
    """A game of files that compress to a half or so."""
    chance = random.Random(1)
    words = [chance.randbytes(chance.randint(3, 12)) for _ in range(4000)]
    files = folder / "files/Bench/Content"
    files.mkdir(parents=True)
    for at in range(mib << 20 >> 16):
        text = b"".join(chance.choices(words, k=FILE // 5))
        (files / f"{at:06}.bin").write_bytes(text[:FILE])
    output = folder / "Paks/pakchunk0-Bench.utoc"
    output.parent.mkdir()
    subprocess.run([PROGRAM, "-q", "pack", folder / "files", "-o", output, "--method", "zlib", "--force"], check=True)
    return output


def read(parts: list[uncask.Part]) -> int:
    """Decodes all rows of some parts, and returns their number."""
    return sum(batch.num_rows for part in parts for batch in part.read(["path", "bytes"]))


def timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(*works: Callable[[], Any]) -> list[float]:
    """The median of each."""
    rounds = [[timed(work) for work in works] for _ in range(ROUNDS)]
    return [statistics.median(times) for times in zip(*rounds)]


def one_part_and_many(game: Path, mib: int) -> None:
    one, many = (uncask.parts(game, "chunks", count=count) for count in (1, 200))
    read(one)
    opening = statistics.median(timed(lambda: one[0].build.open(threads=1)) for _ in range(ROUNDS))
    whole, parts = in_turns(lambda: read(one), lambda: read(many))
    each = (parts - whole) / (len(many) - len(one)) * 1e3
    print(f"one part             {mib / whole:8.0f} MiB/s")
    print(f"{len(many)} parts            {mib / parts:8.0f} MiB/s   {parts / whole:.2f} × the time; {each:.2f} ms a part; opening the game {opening * 1e3:.1f} ms a worker")


def workers_and_shards(game: Path, mib: int) -> None:
    parts = [[part] for part in uncask.parts(game, "chunks", count=32)]

    def shards(count: int) -> None:
        command = [PROGRAM, "-q", "verify", game, "--threads", "1", "--shard"]
        running = [subprocess.Popen([*command, f"{at}/{count}"], stdout=subprocess.DEVNULL) for at in range(1, count + 1)]
        assert all(process.wait() == 0 for process in running)

    for count in (1, 2):
        with multiprocessing.get_context("spawn").Pool(count) as pool:
            pool.map(read, parts[: 2 * count], chunksize=1)
            far, near = in_turns(lambda: pool.map(read, parts, chunksize=1), lambda: shards(count))
        print(f"{count} workers            {mib / far:8.0f} MiB/s   {near / far:.2f} × the speed of verify --shard ({mib / near:.0f} MiB/s)")


def far_away(game: Path, mib: int) -> None:
    """Workers whose server takes 100 ms to answer; each has a thread."""
    asked: list[str] = []
    address = f"{serve(game.parent, 0.1, asked)}/{game.name}"
    parts = [[part] for part in uncask.parts(address, "chunks", count=256)]
    for count in (1, 8, 64):
        some = parts[: 8 * count] if count < 64 else parts
        share = sum(part.size for (part,) in some) / sum(part.size for (part,) in parts)
        with multiprocessing.get_context("spawn").Pool(count) as pool:
            pool.map(read, parts[:count] if count == 1 else [[part] for (part,) in parts[:count]], chunksize=1)
            took = timed(lambda: pool.map(read, some, chunksize=1))
        print(f"{count:2} workers, 100 ms    {mib * share / took:8.0f} MiB/s")
    before, stored = len(asked), sum(part.size for (part,) in parts)
    read(uncask.parts(address, "chunks", count=1))
    print(f"one part of it       {len(asked) - before:8} requests for {stored >> 20} MiB")


def serve(folder: Path, delay: float, asked: list[str]) -> str:
    """Serves the files of a folder by ranges, each answer after a delay, and notes what is asked; returns the address."""
    place: list[int] = []
    ready = threading.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                method, path, _ = head.split("\r\n", 1)[0].split(" ")
                wanted = [line.split("=")[1] for line in head.lower().split("\r\n") if line.startswith("range:")]
                asked.append(path)
                await asyncio.sleep(delay)
                file = folder / Path(path).name
                size = file.stat().st_size
                first, last = (int(each) for each in wanted[0].split("-")) if wanted else (0, size - 1)
                status = f"206 Partial Content\r\nContent-Range: bytes {first}-{last}/{size}" if wanted else "200 OK"
                date = "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"
                writer.write(f"HTTP/1.1 {status}\r\n{date}\r\nContent-Length: {last - first + 1}\r\n\r\n".encode())
                if method != "HEAD":
                    with open(file, "rb") as content:
                        content.seek(first)
                        writer.write(content.read(last - first + 1))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=1024)
        place.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()

    threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()
    ready.wait()
    return f"http://127.0.0.1:{place[0]}"


def driver(tables: Path) -> None:
    """Memory and time for planning: a table of a million chunks, and a thousand builds."""
    table = str(tables / "large.utoc")
    small = [str(ROOT / "testdata/demo")] * 1000
    for name, inputs in (("1,000,000 chunks", [table]), ("1,000 builds", small)):
        code = (
            "import time, pickle, uncask\n"
            "def peak():\n"
            "    lines = open('/proc/self/status').read().splitlines()\n"
            "    return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM'))\n"
            "before = peak()\n"
            "start = time.perf_counter()\n"
            f"parts = uncask.parts({inputs!r}, 'chunks', bytes=1 << 22)\n"
            "took = time.perf_counter() - start\n"
            "more = peak() - before\n"
            "sent = max(len(pickle.dumps(part)) for part in parts)\n"
            "print(f'{len(parts)} parts, {took:.2f} s, {more / 1024:.0f} MiB more, {sent} bytes a part')\n"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
        print(f"plan {name:<17} {done.stdout.strip()}")


if __name__ == "__main__":
    main()
