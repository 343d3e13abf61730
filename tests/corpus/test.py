"""Tests of `fetch`: against a web server and a git repository of this machine, which stand in for GitHub.

  python3 tests/corpus/test.py
"""

import functools
import hashlib
import http.server
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

FETCH = pathlib.Path(__file__).with_name("fetch")
OLD, NEW, LARGE = b"as it was\n", b"as it is\n", bytes(range(256)) * 40


def blob(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def row(path, commit, source, content):
    return [path, "owner/game", commit, source, str(len(content)), hashlib.sha256(content).hexdigest(), blob(content)]


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("git"), "there is no git")
class Fetch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        repository = self.root / "git/owner/game"
        repository.mkdir(parents=True)
        git = functools.partial(subprocess.run, cwd=repository, check=True, capture_output=True)
        git(["git", "init", "--quiet"])
        git(["git", "config", "uploadpack.allowAnySHA1InWant", "true"])
        for content in (OLD, NEW):
            (repository / "a b.txt").write_bytes(content)
            git(["git", "add", "."])
            git(["git", "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "one"])
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(LARGE).hexdigest()}\n"
        for path, content in (
            ("raw/owner/game/c1/a b.txt", NEW),
            ("raw/owner/game/c1/large.bin", f"{pointer}size {len(LARGE)}\n".encode()),
            ("raw/owner/game/c1/altered.bin", b"something else"),
            ("media/owner/game/c1/large.bin", LARGE),
        ):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content)
        Handler.asked = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=self.root))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.hosts = [f"--raw=http://127.0.0.1:{server.server_port}/raw", f"--git=file://{self.root}/git"]
        self.hosts.append(f"--media=http://127.0.0.1:{server.server_port}/media")
        self.corpus = self.root / "corpus"

    def run_fetch(self, rows, *arguments):
        manifest = self.root / "corpus.tsv"
        manifest.write_text("".join("\t".join(row) + "\n" for row in rows))
        command = [sys.executable, FETCH, "--manifest", manifest, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def fetch(self, rows):
        return self.run_fetch(rows, *self.hosts, self.corpus)

    def test_files_come_from_their_commit_and_large_ones_from_the_host_for_them(self):
        rows = [row("x/new.txt", "c1", "a b.txt", NEW), row("large.bin", "c1", "large.bin", LARGE)]
        run = self.fetch(rows)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.corpus / "x/new.txt").read_bytes(), NEW)
        self.assertEqual((self.corpus / "large.bin").read_bytes(), LARGE)
        self.assertEqual(
            sorted(Handler.asked),
            ["/media/owner/game/c1/large.bin", "/raw/owner/game/c1/a%20b.txt", "/raw/owner/game/c1/large.bin"],
        )
        self.assertEqual(self.run_fetch(rows, "--verify", self.corpus).returncode, 0)

    def test_what_no_commit_is_known_for_comes_from_the_history(self):
        run = self.fetch(
            [
                row("old.txt", "c1", "a b.txt", OLD),
                row("unknown.txt", "-", "-", NEW),
                row("nowhere.txt", "-", "-", b"in no history"),
            ]
        )
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertEqual((self.corpus / "old.txt").read_bytes(), OLD)
        self.assertEqual((self.corpus / "unknown.txt").read_bytes(), NEW)
        self.assertFalse((self.corpus / "nowhere.txt").exists())
        self.assertIn("not had: nowhere.txt (13 bytes), github.com/owner/game", run.stderr)
        self.assertIn("2 of 3 files", run.stdout)

    def test_a_file_with_other_content_is_not_written(self):
        run = self.fetch([row("altered.bin", "c1", "altered.bin", b"something other")])
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertEqual(list(self.corpus.rglob("*")), [])

    def test_a_second_run_fetches_only_what_is_missing_or_wrong(self):
        rows = [row("new.txt", "c1", "a b.txt", NEW), row("large.bin", "c1", "large.bin", LARGE)]
        self.corpus.mkdir()
        (self.corpus / "new.txt").write_bytes(NEW)
        (self.corpus / "large.bin").write_bytes(LARGE[:-1])
        self.assertEqual(self.run_fetch(rows, "--verify", self.corpus).stdout.splitlines()[0], "differs: large.bin")
        self.assertEqual(self.fetch(rows).returncode, 0)
        self.assertNotIn("/raw/owner/game/c1/a%20b.txt", Handler.asked)
        self.assertEqual((self.corpus / "large.bin").read_bytes(), LARGE)

    def test_a_path_that_leads_out_is_refused(self):
        for path in ("../out.txt", "/out.txt", "a/../../out.txt", "..\\out.txt"):
            run = self.fetch([row(path, "c1", "a b.txt", NEW)])
            self.assertIn("leads out", run.stderr)
        self.assertFalse((self.root / "out.txt").exists())

    def test_files_in_containers_are_taken_out_by_uncask(self):
        uncask = self.root / "uncask"
        uncask.write_text('#!/bin/sh\n[ "$1 $3 $5" = "unpack -o --quiet" ] && cp "$2" "$4/inside.txt"\n')
        uncask.chmod(0o755)
        inside = row("inside.txt", "-", "c.pak:inside.txt", NEW)
        inside[1] = "="
        rows = [row("c.pak", "c1", "a b.txt", NEW), inside]
        self.assertEqual(self.run_fetch(rows, *self.hosts, self.corpus, f"--uncask={uncask}").returncode, 0)
        self.assertEqual((self.corpus / "inside.txt").read_bytes(), NEW)


if __name__ == "__main__":
    unittest.main()
