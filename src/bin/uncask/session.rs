//! Context shared by all commands: printer, threads, memory, and opening of stores.

use crate::args::{GlobalArgs, StoreArgs};
use crate::held::Held;
use crate::inputs;
use crate::keys;
use crate::printer::{self, Printer};
use crate::progress::Progress;
use anyhow::Context as _;
use futures_util::future::{self, Either};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use uncask::error::{Error, ErrorKind};
use uncask::extract::Shard;
use uncask::job::{Budget, CancelToken, Context, Cpu, MAX_THREADS};
use uncask::sink::DirectorySink;
use uncask::store::packages::Packages;
use uncask::store::{Container, Entry, Lend, Role, Store, StoreOptions};

/// A run of the program.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) printer: Arc<Printer>,
    threads: usize,
    cpu: OnceLock<Cpu>,
    memory: u64,
    /// Token that cancels this run.
    cancel: CancelToken,
}

impl Session {
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let printer = Arc::new(Printer::new(global.json, global.quiet, global.verbose));
        let (cpu, cancel) = (OnceLock::new(), CancelToken::default());
        Self { printer, threads: global.threads, cpu, memory: global.memory.0, cancel }
    }

    /// Opens the containers named in the arguments. Packages without a path get one from their headers, unless `lend`
    /// is [`Lend::Never`].
    pub(crate) fn open(&self, args: &StoreArgs, lend: Lend) -> anyhow::Result<Store> {
        self.open_inputs(&given(args), args, lend)
    }

    /// Opens the given containers, with all other options from the arguments.
    pub(crate) fn open_inputs(
        &self,
        inputs: &[PathBuf],
        args: &StoreArgs,
        lend: Lend,
    ) -> anyhow::Result<Store> {
        let options = self.store_options(args, lend)?;
        // Shells on Windows do not expand wildcards, so do it here.
        let store = Store::open(&inputs::expand(inputs), &inputs::expand(&args.base), &options)?;
        self.tell_of(&store, options.keys.len());
        // Commands that show no paths save the time to read headers.
        if lend != Lend::Never {
            self.name_packages(&store)?;
        }
        Ok(store)
    }

    /// Options for opening containers, from the arguments.
    fn store_options(&self, args: &StoreArgs, lend: Lend) -> anyhow::Result<StoreOptions> {
        let keys = keys::collect(&args.aes_key, &self.printer)?;
        let observer = Progress::new(&self.printer, "chunks");
        // The bar of this observer is not wanted while containers open; only its warnings are.
        observer.finish();
        let only = args.only.map(Into::into);
        let toc_version = args.toc_version;
        let cpu = self.cpu();
        Ok(StoreOptions { keys, toc_version, only, lend, cpu, observer, ..StoreOptions::default() })
    }

    /// Prints notes about containers opened with `given` keys.
    fn tell_of(&self, store: &Store, given: usize) {
        let encrypted = |container: &Arc<Container>| container.table().is_encrypted();
        // Most likely the key or the game is the wrong one.
        if given > 0 && !store.containers().is_empty() && !store.containers().iter().any(encrypted) {
            self.printer.warning("a key was given, but no container is encrypted");
        }
        for container in store.containers().iter().filter(|container| container.role() == Role::Content) {
            for notice in container.table().notices().iter().filter(|notice| !notice.is_warning()) {
                self.printer.detail(&format!("{notice}: {}", container.path().display()));
            }
        }
    }

    /// Opens two builds with the same arguments, at the same time. Their messages are printed one after the other.
    pub(crate) fn open_both(&self, builds: [&StoreArgs; 2]) -> anyhow::Result<[Store; 2]> {
        let [old, new] = builds;
        let options = self.store_options(old, Lend::ForPaths)?;
        // Messages of the new build wait until the old one is opened; mixed, nobody could tell which is meant.
        let held = Arc::new(Held::default());
        let (observer, cancel) = (Arc::clone(&held) as _, CancelToken::default());
        let of_new = StoreOptions { observer, cancel: cancel.clone(), ..options.clone() };
        let open = |args: &StoreArgs, options: &StoreOptions| {
            Store::open(&inputs::expand(&given(args)), &inputs::expand(&args.base), options)
        };
        // If the old build cannot be opened, the new one is not needed.
        let open_old = || open(old, &options).inspect_err(|_| cancel.cancel());
        let (opened, first) = self.cpu().beside(|| open(new, &of_new), open_old);
        let first = first?;
        self.tell_of(&first, options.keys.len());
        self.name_packages(&first)?;
        // Now it is the turn of the new build.
        held.print(&self.printer);
        let second = opened?;
        self.tell_of(&second, options.keys.len());
        self.name_packages(&second)?;
        Ok([first, second])
    }

    fn name_packages(&self, store: &Store) -> anyhow::Result<()> {
        let (context, progress) = self.observed(false, "chunks");
        progress.finish();
        self.block_on(uncask::extract::name_packages(store, &context))
    }

    /// The chunks among some that an older build does not have in this form.
    pub(crate) fn changed_since(
        &self,
        old: &Path,
        args: &StoreArgs,
        store: &Store,
        entries: &[Entry],
    ) -> anyhow::Result<Vec<Entry>> {
        let old = self.open_inputs(&[old.to_owned()], args, Lend::ForPaths)?;
        self.warn_of_locks(&old);
        Ok(uncask::compare::changed_since(&old, store, entries, &self.cancel)?)
    }

    /// Reports locked containers, in commands whose jobs would not report them.
    pub(crate) fn warn_of_locks(&self, store: &Store) {
        for container in store.containers().iter().filter(|container| container.role() == Role::Content) {
            if let Some(error) = container.locked() {
                self.printer.problem(error);
            }
        }
    }

    /// The packages of a store. The limit for one chunk is the memory of a job.
    pub(crate) fn packages(&self, store: &Store) -> Packages {
        Packages::new(store, self.memory)
    }

    /// Opens the output folder of a job. A resumed job removes unfinished files of earlier runs, unless it is a shard:
    /// other machines may be writing to the folder, too.
    pub(crate) fn output(
        &self,
        folder: &Path,
        resume: bool,
        shard: Option<Shard>,
    ) -> Result<Arc<DirectorySink>, Error> {
        let sink = DirectorySink::open(folder)?;
        if resume && shard.is_none() {
            let removed = sink.remove_leftovers();
            if removed > 0 {
                let removed = printer::counted(removed, "unfinished file", "unfinished files");
                self.printer.note(&format!("removed {removed} of earlier runs"));
            }
        }
        Ok(Arc::new(sink))
    }

    /// Errors in reading packages, except key errors, which [`warn_of_locks`](Self::warn_of_locks) has reported.
    pub(crate) fn problems(packages: &Packages) -> Vec<Error> {
        let mut problems = packages.take_problems();
        // A locked container would be reported once more for each question about it.
        problems.retain(|problem| problem.kind() != ErrorKind::Key);
        problems
    }

    /// Reads a whole file, if it fits into the memory limit.
    pub(crate) fn read_file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        uncask::source::read_file(path, self.memory)
    }

    /// Reads the first `len` bytes of a file, or as many as the memory limit allows.
    pub(crate) fn read_start(&self, path: &Path, len: u64) -> Result<Vec<u8>, Error> {
        let file = uncask::source::open_file(path).map_err(Error::io("open", path))?;
        let mut bytes = Vec::new();
        // `take` bounds the read even if the file grows meanwhile.
        file.take(len.min(self.memory)).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        Ok(bytes)
    }

    /// Token that cancels this run.
    pub(crate) const fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Memory limit in bytes.
    pub(crate) const fn memory(&self) -> u64 {
        self.memory
    }

    /// Requested number of worker threads; 0 for one per core.
    #[cfg(feature = "browse")]
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Threads and memory for a job.
    pub(crate) fn context(&self, verify: bool) -> Context {
        Context::new(self.cpu(), Budget::new(self.memory), verify).with_cancel_token(self.cancel.clone())
    }

    /// Threads and memory for a job with a progress bar that counts `noun`.
    pub(crate) fn observed(&self, verify: bool, noun: &'static str) -> (Context, Arc<Progress>) {
        let progress = Progress::new(&self.printer, noun);
        (self.context(verify).with_observer(Arc::clone(&progress) as _), progress)
    }

    /// The worker threads, started on first use.
    pub(crate) fn cpu(&self) -> Cpu {
        self.cpu.get_or_init(|| self.start_threads()).clone()
    }

    /// Starts the requested number of threads, or fewer with a warning.
    fn start_threads(&self) -> Cpu {
        let cpu = Cpu::new(self.threads).unwrap_or_else(|error| {
            let message =
                format!("no worker thread can be started, so everything runs on one thread: {error}");
            self.printer.warning(&message);
            Cpu::default()
        });
        let (wanted, found) =
            (self.threads, printer::counted(cpu.threads() as u64, "worker thread", "worker threads"));
        // Both are worth a warning, but for different reasons: one is a limit of ours, the other of the system.
        if wanted > MAX_THREADS {
            self.printer.warning(&format!("-j {wanted} is too many; using {found}"));
        } else if cpu.threads() < wanted {
            self.printer.warning(&format!("using {found} instead of {wanted}: the system starts no more"));
        }
        cpu
    }

    /// Serves until the server ends, or until Ctrl-C.
    #[cfg(feature = "browse")]
    pub(crate) fn serve(serving: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
        let runtime = Self::runtime()?;
        let served = runtime.block_on(async {
            let (serving, interrupted) = (std::pin::pin!(serving), std::pin::pin!(interrupted()));
            match future::select(serving, interrupted).await {
                Either::Left((served, _)) => served,
                Either::Right(_) => Ok(()),
            }
        });
        // Work in progress is cancelled; there is no need to wait for it.
        runtime.shutdown_background();
        served
    }

    fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the I/O runtime")
    }

    /// Runs a job to completion. Ctrl-C cancels it: work already begun is finished or removed, and no more is begun.
    pub(crate) fn block_on<T>(&self, job: impl Future<Output = T>) -> anyhow::Result<T> {
        self.block_on_saying("interrupted; finishing the files that were begun", job)
    }

    /// Runs a job whose output appears completely or not at all.
    pub(crate) fn make<T>(&self, job: impl Future<Output = T>) -> anyhow::Result<T> {
        self.block_on_saying("interrupted; removing what was begun", job)
    }

    fn block_on_saying<T>(&self, interruption: &str, job: impl Future<Output = T>) -> anyhow::Result<T> {
        let runtime = Self::runtime()?;
        Ok(runtime.block_on(async {
            let job = std::pin::pin!(job);
            let interrupted = std::pin::pin!(interrupted());
            // Polled first: a job may compute for a long time before it first waits, and Ctrl-C must work from the
            // start.
            match future::select(interrupted, job).await {
                Either::Right((result, _)) => result,
                Either::Left(((), job)) => {
                    self.printer.note(interruption);
                    self.cancel.cancel();
                    // Wait for the job to clean up: it sees the token and ends soon.
                    job.await
                }
            }
        }))
    }
}

/// Waits for Ctrl-C, or on Windows also Ctrl-Break or the closing of the window, after which a run has some seconds to
/// clean up.
async fn interrupted() {
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_break, ctrl_close};
        if let (Ok(mut stopped), Ok(mut closed)) = (ctrl_break(), ctrl_close()) {
            let (stopped, closed) = (std::pin::pin!(stopped.recv()), std::pin::pin!(closed.recv()));
            let interrupted = std::pin::pin!(tokio::signal::ctrl_c());
            future::select(interrupted, future::select(stopped, closed)).await;
            return;
        }
    }
    // If the handler cannot be installed, the system ends the program as usual.
    if tokio::signal::ctrl_c().await.is_err() {
        future::pending::<()>().await;
    }
}

fn given(args: &StoreArgs) -> Vec<PathBuf> {
    std::iter::once(&args.input).chain(&args.more_inputs).cloned().collect()
}
