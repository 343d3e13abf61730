//! `uncask.Game`.

use crate::changes::Changes;
use crate::entry::Entry;
use crate::lookup;
use crate::run::run;
use crate::shared::Shared;
use crate::{arguments, errors, exporting, look, outcomes, read};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;
use uncask::game::{ChunkJob, ExportOptions, Hits, Overwrite, SaveOptions};

type Object<'py> = Bound<'py, PyAny>;

/// The containers and paks of a game, opened: every chunk that a game would load, with a path wherever one is known.
///
/// It is a collection of `Entry` objects: `len(game)`, `for entry in game`, `path in game`, `game[path]`. A path is one relative to
/// the game's root; a file name, a package name such as "/Game/Maps/Start" and a chunk id will do as well, if only one chunk has it.
#[pyclass(frozen, module = "uncask")]
pub(crate) struct Game {
    shared: Arc<Shared>,
}

impl Game {
    pub(crate) fn new(game: uncask::Game) -> Self {
        Self { shared: Arc::new(Shared::new(game)) }
    }

    /// The game, in the process that has opened it.
    pub(crate) fn shared(&self) -> PyResult<&Arc<Shared>> {
        if self.shared.is_of_this_process() { Ok(&self.shared) } else { Err(errors::forked()) }
    }

    /// The entry that an argument is, or means.
    fn entry(&self, what: &Object<'_>) -> PyResult<Entry> {
        let (shared, py) = (self.shared()?, what.py());
        if let Ok(entry) = what.cast::<Entry>() {
            if entry.get().is_of(shared) {
                return Ok(entry.get().clone());
            }
            return Err(errors::invalid(py, &"the entry is of another game"));
        }
        let text: String = what.extract()?;
        let found = py.detach(|| lookup::find(shared, &text).map(|chunk| chunk.entry()));
        found.map(|at| Entry::new(Arc::clone(shared), at)).map_err(|error| errors::raise(py, &error))
    }

    /// A job on the chunks that match.
    fn job(
        &self,
        patterns: Option<&Object<'_>>,
        exclude: Option<&Object<'_>>,
        py: Python<'_>,
    ) -> PyResult<ChunkJob<'_>> {
        let (shared, spec) = (self.shared()?, arguments::filter(patterns, exclude)?);
        py.detach(|| shared.game.selected(&spec)).map_err(|error| errors::raise(py, &error))
    }

    /// A job that writes.
    fn writing(
        &self,
        patterns: Option<&Object<'_>>,
        options: &Writing<'_, '_>,
        py: Python<'_>,
    ) -> PyResult<ChunkJob<'_>> {
        let job = self.job(patterns, options.exclude, py)?.overwrite(options.overwrite);
        let job = if options.strict { job.strict() } else { job };
        arguments::in_shard(py, job, options.shard)
    }
}

/// Arguments that all writing jobs share.
struct Writing<'a, 'py> {
    exclude: Option<&'a Object<'py>>,
    overwrite: Overwrite,
    strict: bool,
    shard: Option<&'a str>,
}

#[pymethods]
impl Game {
    fn __len__(&self) -> usize {
        self.shared.game.entries().len()
    }

    fn __iter__(&self) -> Entries {
        Entries { shared: Arc::clone(&self.shared), next: 0 }
    }

    fn __contains__(&self, what: &Object<'_>) -> PyResult<bool> {
        if let Ok(entry) = what.cast::<Entry>() {
            return Ok(entry.get().is_of(&self.shared));
        }
        let Ok(text) = what.extract::<String>() else { return Ok(false) };
        lookup::contains(what.py(), self.shared()?, &text)
    }

    fn __getitem__(&self, path: &Object<'_>) -> PyResult<Entry> {
        self.entry(path)
    }

    fn __repr__(&self) -> String {
        let containers = self.shared.game.containers().len();
        format!("<Game: {} chunks in {containers} containers>", self.__len__())
    }

    /// The containers, the one that wins over all others first.
    #[getter]
    fn containers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Object<'py>>> {
        let containers = self.shared()?.game.containers().iter();
        containers.map(|container| outcomes::container(py, container)).collect()
    }

    /// Errors that kept containers from being opened and folders from being searched, as exceptions.
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> Vec<Object<'py>> {
        outcomes::errors_of(py, self.shared.game.failed())
    }

    /// The entries that match one of these patterns: globs, paths, file names, folders, package names, chunk ids.
    #[pyo3(signature = (*patterns, exclude=None))]
    fn glob(
        &self,
        py: Python<'_>,
        patterns: Vec<String>,
        exclude: Option<&Object<'_>>,
    ) -> PyResult<Vec<Entry>> {
        let patterns = patterns.into_pyobject(py)?;
        let job = self.job(Some(&patterns), exclude, py)?;
        Ok(job.chunks().map(|chunk| Entry::new(Arc::clone(&self.shared), chunk.entry())).collect())
    }

    /// Facts about every entry, column by column: `pandas.DataFrame(game.columns())`. With `classes`, the class of each package is
    /// among them, for which all headers are read.
    #[pyo3(signature = (*, classes=false))]
    fn columns<'py>(&self, py: Python<'py>, classes: bool) -> PyResult<Bound<'py, PyDict>> {
        let chunks = || self.shared.game.chunks();
        let stored = |chunk: uncask::game::Chunk<'_>| chunk.storage().map_or(0, |storage| storage.stored_len);
        let names: Vec<String> =
            self.shared.game.containers().iter().map(|container| container.name()).collect();
        let name = |chunk: uncask::game::Chunk<'_>| names.get(chunk.entry().container).cloned();
        let columns = PyDict::new(py);
        columns.set_item("path", chunks().map(|chunk| chunk.display_path()).collect::<Vec<_>>())?;
        columns.set_item("size", chunks().map(|chunk| chunk.len()).collect::<Vec<_>>())?;
        columns.set_item("compressed_size", chunks().map(stored).collect::<Vec<_>>())?;
        columns.set_item("container", chunks().map(name).collect::<Vec<_>>())?;
        columns.set_item("chunk_id", chunks().map(|chunk| chunk.id().to_string()).collect::<Vec<_>>())?;
        columns.set_item("chunk_type", chunks().map(|chunk| chunk.kind().name()).collect::<Vec<_>>())?;
        let hash = |chunk: uncask::game::Chunk<'_>| chunk.hash().map(|hash| hash.to_string());
        columns.set_item("hash", chunks().map(hash).collect::<Vec<_>>())?;
        columns.set_item("compression", chunks().map(|chunk| chunk.compression()).collect::<Vec<_>>())?;
        columns.set_item("encrypted", chunks().map(|chunk| chunk.is_encrypted()).collect::<Vec<_>>())?;
        if classes {
            let game = &self.shared()?.game;
            let classes = py.detach(|| game.cpu().map(game.entries(), |entry| game.class_of(*entry)));
            columns.set_item("class_name", classes)?;
        }
        Ok(columns)
    }

    /// The texts of all languages: a row for each, with its file, namespace, key, source text if known, and a dict by language.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Object<'py>>> {
        look::texts(py, &self.shared()?.game)
    }

    /// The chunks that differ from an older build, and those that only one of the two has.
    #[pyo3(signature = (old, patterns=None, *, exclude=None))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        old: &Bound<'py, Self>,
        patterns: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
    ) -> PyResult<Vec<Object<'py>>> {
        let (new, old, spec) = (self.shared()?, old.get().shared()?, arguments::filter(patterns, exclude)?);
        look::diff(py, old, new, &spec)
    }

    /// Finds values in the packages that match. `property` is a name or a glob; `value` a text that they contain, a number that they
    /// are equal to, or a range such as ">5" and "5..10". The other arguments are those of `verify`.
    #[pyo3(signature = (patterns=None, *, property=None, value=None, exclude=None, progress=None))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        patterns: Option<&Object<'py>>,
        property: Option<String>,
        value: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let query = arguments::query(py, property, value)?;
        let job = self.job(patterns, exclude, py)?;
        let (mut values, mut cut) = (Vec::new(), 0_u64);
        let found = |hits: Hits| {
            cut += u64::from(hits.cut);
            values.extend(hits.hits);
            Ok(())
        };
        let outcome = run(py, job, progress, |job| job.find(query, found))?;
        outcomes::find(py, &outcome, &values, cut)
    }

    /// Changes values of a package, by their addresses as `uncask set` takes them, and writes it as a mod: a `.utoc`, a `.pak`, or
    /// files below a folder. Numbers, texts, lists and dicts become what JSON makes of them.
    ///
    /// overwrite: replace existing files.
    /// force: write even what the game would not load.
    #[pyo3(signature = (package, values, output, *, overwrite=false, force=false))]
    fn set<'py>(
        &self,
        py: Python<'py>,
        package: &str,
        values: &Bound<'py, PyDict>,
        output: PathBuf,
        overwrite: bool,
        force: bool,
    ) -> PyResult<Object<'py>> {
        let (shared, values) = (self.shared()?, arguments::values(values)?);
        let output = arguments::edit_output(output);
        let options = SaveOptions { replace: overwrite, force, ..SaveOptions::default() };
        let done = py.detach(|| shared.game.set(package, &values, &output, options));
        let (edited, saved) = done.map_err(|error| errors::raise(py, &error))?;
        outcomes::edit(py, &edited, &saved)
    }

    /// An empty collection of changes, of which a mod or a recipe is made.
    fn edit(&self) -> PyResult<Changes> {
        Ok(Changes::new(Arc::clone(self.shared()?)))
    }

    /// The content of an entry. The whole is compared with its recorded hash; a part, which starts at `offset` and has at most
    /// `size` bytes, is not.
    #[pyo3(signature = (what, offset=0, size=None))]
    fn read<'py>(&self, what: &Object<'py>, offset: u64, size: Option<u64>) -> PyResult<Bound<'py, PyBytes>> {
        let (py, entry) = (what.py(), self.entry(what)?);
        match (offset, size) {
            (0, None) => read::whole(py, &self.shared.game, entry.chunk()),
            _ => read::range(py, &self.shared.game, entry.chunk(), offset, size),
        }
    }

    /// Reads the content of an entry into a writable buffer (`bytearray`, `memoryview`, a numpy array) that is large enough, and
    /// returns its size. It may be larger than the memory for data in flight.
    fn read_into(&self, what: &Object<'_>, buffer: &Object<'_>) -> PyResult<u64> {
        let entry = self.entry(what)?;
        read::into(what.py(), &self.shared.game, entry.chunk(), buffer)
    }

    /// Header of a package with all names resolved: name, imports, exports, …, as `uncask inspect --json` shows it.
    fn package<'py>(&self, what: &Object<'py>) -> PyResult<Object<'py>> {
        let entry = self.entry(what)?;
        read::package(what.py(), &self.shared.game, entry.chunk())
    }

    /// The objects of a package with the values of their properties, as `uncask json` writes them.
    fn properties<'py>(&self, what: &Object<'py>) -> PyResult<Object<'py>> {
        let entry = self.entry(what)?;
        read::properties(what.py(), &self.shared.game, entry.chunk())
    }

    /// The components of a level and of all levels that it loads, each with its actor, class, mesh and its place in the world:
    /// location in centimetres, rotation as a quaternion, scale. `pandas.DataFrame(game.scene("/Game/Maps/Start"))` has them as a
    /// table.
    fn scene<'py>(&self, what: &Object<'py>) -> PyResult<Object<'py>> {
        let entry = self.entry(what)?;
        read::scene(what.py(), &self.shared.game, entry.chunk())
    }

    /// The functions of a blueprint as pseudo-code, or in the form "listing" or "json"; an empty text if there are none.
    #[pyo3(signature = (what, form="pseudo", function=None))]
    fn code(&self, what: &Object<'_>, form: &str, function: Option<&str>) -> PyResult<String> {
        let entry = self.entry(what)?;
        read::code(what.py(), &self.shared.game, entry.chunk(), form, function)
    }

    /// Decodes every entry that matches and compares it with its recorded hash; nothing is written.
    #[pyo3(signature = (patterns=None, *, exclude=None, shard=None, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        patterns: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
        shard: Option<&str>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let job = arguments::in_shard(py, self.job(patterns, exclude, py)?, shard)?;
        outcomes::outcome(py, &run(py, job, progress, ChunkJob::verify)?)
    }

    /// Writes every entry that matches as a file below a folder, or one of a bucket (`s3://bucket/folder`), as it is in the containers.
    ///
    /// overwrite: what to do about existing files: "different" replaces those that are not what they should be,
    ///     "untouched" these, but not what was changed since it was written, "never" keeps them, "always" replaces them all.
    /// strict: write no content that does not have its recorded hash.
    /// shard: do only one share of the job, such as "3/8", of about equal stored size.
    /// progress: is called with a `Progress`, some twenty times a second. An exception in it ends the job, as does Ctrl-C.
    #[pyo3(signature = (folder, patterns=None, *, exclude=None, overwrite="different", strict=false, shard=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn unpack<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        patterns: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
        overwrite: &str,
        strict: bool,
        shard: Option<&str>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let options = Writing { exclude, overwrite: arguments::overwrite(py, overwrite)?, strict, shard };
        let job = self.writing(patterns, &options, py)?;
        outcomes::outcome(py, &run(py, job, progress, |job| job.unpack(folder))?)
    }

    /// Writes the packages that match below a folder as the cooker wrote them: `.uasset` or `.umap`, `.uexp`, and bulk data files.
    /// The other arguments are those of `unpack`.
    #[pyo3(signature = (folder, patterns=None, *, exclude=None, overwrite="different", strict=false, shard=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn to_legacy<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        patterns: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
        overwrite: &str,
        strict: bool,
        shard: Option<&str>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Object<'py>> {
        let options = Writing { exclude, overwrite: arguments::overwrite(py, overwrite)?, strict, shard };
        let job = self.writing(patterns, &options, py)?;
        outcomes::convert(py, &run(py, job, progress, |job| job.to_legacy(folder))?)
    }

    /// Writes the assets that match below a folder as files that people open: pictures, sounds, meshes, animations, fonts.
    ///
    /// forms: what assets become: "png", "exr", "dds", "wav", "ogg", "gltf", "scene", "usd", "ttf", "csv", "json", "raw", or several; without it, what suits each.
    /// all_mips, all_lods: every mip of textures, every level of detail of meshes; without them, the best.
    /// nanite: "full", "fallback", or how far a simpler surface may be from the full one, in centimetres.
    /// cube: "faces", or "equirectangular" for one picture of all directions.
    /// collision: the simple shapes for collisions, too.
    ///
    /// For scenes:
    ///
    /// instances: "instanced" (one node for all, with EXT_mesh_gpu_instancing), or "nodes".
    /// textures: False for materials without pictures.
    /// heights: "png" for heights and weights of landscapes as they are stored, or "exr" for floats.
    /// hidden: True for what games hide, too.
    /// within: only what is in this circle: X, Y and radius, in centimetres.
    /// origin: X, Y and Z of the origin, in centimetres.
    /// max_triangles: the most triangles of a mesh.
    /// classes: only components of these classes, or in actors of them, such as "*Light*".
    ///
    /// The other arguments are those of `unpack`.
    #[pyo3(signature = (folder, patterns=None, *, exclude=None, overwrite="different", strict=false, shard=None, progress=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn export<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        patterns: Option<&Object<'py>>,
        exclude: Option<&Object<'py>>,
        overwrite: &str,
        strict: bool,
        shard: Option<&str>,
        progress: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Object<'py>> {
        let writing = Writing { exclude, overwrite: arguments::overwrite(py, overwrite)?, strict, shard };
        let job = self.writing(patterns, &writing, py)?;
        let export = ExportOptions { overwrite: writing.overwrite, ..exporting::options(options)? };
        outcomes::export(py, &run(py, job, progress, |job| job.export(folder, export))?)
    }
}

/// Goes through the entries of a game.
#[pyclass(module = "uncask")]
struct Entries {
    shared: Arc<Shared>,
    next: usize,
}

#[pymethods]
impl Entries {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Entry> {
        let at = self.shared.game.entries().get(self.next)?;
        self.next += 1;
        Some(Entry::new(Arc::clone(&self.shared), *at))
    }
}
