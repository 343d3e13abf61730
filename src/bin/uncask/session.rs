//! Context shared by all commands: printer, threads, memory, and opening of stores.

use crate::args::{GlobalArgs, StoreArgs};
use crate::held::Held;
use crate::inputs;
use crate::keys;
use crate::printer::{self, Printer};
use crate::progress::Progress;
use anyhow::Context as _;
use futures_util::future::{self, Either};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use uncask::error::{Error, ErrorKind};
use uncask::game::{
    self, CancelToken, Container, Cpu, Entry, Game, GameError, GameOptions, Lend, MAX_THREADS, Packages,
    Role, Shard, Sink, open_output,
};
use uncask::report::Observer;

/// One run of the program: its printer, and how it opens games.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) printer: Arc<Printer>,
    threads: usize,
    cpu: OnceLock<Cpu>,
    memory: u64,
    /// Ends the run: every game that it opens has it.
    cancel: CancelToken,
}

impl Session {
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let printer = Arc::new(Printer::new(global));
        let (cpu, cancel) = (OnceLock::new(), CancelToken::default());
        Self { printer, threads: global.threads, cpu, memory: global.memory.0, cancel }
    }

    /// Threads, memory and cancellation of this run, for a game or for work without one.
    pub(crate) fn options(&self) -> GameOptions {
        GameOptions::default().workers(self.cpu()).memory(self.memory).cancel_token(self.cancel.clone())
    }

    /// Opens the containers named in the arguments. Packages without a path get one from their headers, unless `lend`
    /// is [`Lend::Never`].
    pub(crate) fn open(&self, args: &StoreArgs, lend: Lend) -> anyhow::Result<Game> {
        self.open_inputs(&given(args), args, lend)
    }

    /// Opens the given containers, with all other options from the arguments.
    pub(crate) fn open_inputs(
        &self,
        inputs: &[PathBuf],
        args: &StoreArgs,
        lend: Lend,
    ) -> anyhow::Result<Game> {
        let options = self.game_options(args, lend)?;
        let game = self.interruptible(|| opened(options.open_all(inputs::expand(inputs))))?;
        self.tell_of(&game);
        // Without containers there is nothing else that would say why nothing comes out.
        if let Some(only) = args.only.filter(|_| game.containers().is_empty() && game.failed().is_empty()) {
            self.printer.error(&format!("there is no {} in what was given", only.extension()));
        }
        Ok(game)
    }

    /// Warns of containers with one name: most likely a copy that somebody has kept, which then counts as part of the game.
    fn warn_of_copies(&self, game: &Game) {
        let mut by_name: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
        for container in game.containers().iter().filter(|container| container.role() == Role::Content) {
            let name = container.path().file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            by_name.entry(name).or_default().push(container.path());
        }
        for paths in by_name.values().filter(|paths| paths.len() > 1) {
            let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            let number = printer::count(paths.len() as u64);
            self.printer.warning(&format!(
                "{number} containers have one name, and all of them count: {}",
                paths.join(", ")
            ));
        }
    }

    /// Options for opening a game, from the arguments.
    pub(crate) fn game_options(&self, args: &StoreArgs, lend: Lend) -> anyhow::Result<GameOptions> {
        let options = self.options().keys(keys::collect(&args.aes_key, &self.printer)?).lend(lend);
        let observer = Progress::new(&self.printer, "chunks");
        // The bar of this observer is not wanted while containers open; only its warnings are.
        observer.finish();
        let options =
            options.only(args.only.map(Into::into)).toc_version(args.toc_version).observer(observer);
        Ok(inputs::expand(&args.base).into_iter().fold(options, GameOptions::base))
    }

    /// Prints warnings about an opened game.
    fn tell_of(&self, game: &Game) {
        let encrypted = |container: &Arc<Container>| container.table().is_encrypted();
        // Most likely the key or the game is the wrong one.
        if game.has_keys() && !game.containers().is_empty() && !game.containers().iter().any(encrypted) {
            self.printer.warning("a key was given, but no container is encrypted");
        }
        self.warn_of_copies(game);
        for container in game.containers().iter().filter(|container| container.role() == Role::Content) {
            for notice in container.table().notices().iter().filter(|notice| !notice.is_warning()) {
                self.printer.detail(&format!("{notice}: {}", container.path().display()));
            }
        }
    }

    /// Opens two builds that the same arguments are about, both at a time. Messages about the new one follow those about the old
    /// one.
    pub(crate) fn open_both(&self, builds: [&StoreArgs; 2]) -> anyhow::Result<[Game; 2]> {
        let [old, new] = builds;
        // Messages of the new build wait until the old one is opened; mixed, nobody could tell which is meant.
        let held = Arc::new(Held::default());
        let (observer, cancel) = (Arc::clone(&held) as _, self.cancel.child());
        let of_old = self.game_options(old, Lend::ForPaths)?;
        // All but the input is the same for both, and keys are read, and warned about, only once.
        let of_new = of_old.clone().observer(observer).cancel_token(cancel.clone());
        let open = |args: &StoreArgs, options: GameOptions| options.open_all(inputs::expand(&given(args)));
        // If the old build cannot be opened, the new one is not needed.
        let open_old = || open(old, of_old).inspect_err(|_| cancel.cancel());
        // A thread of its own, since a worker that waits for workers could wait for itself; without one, one after the other.
        let (first, second) = self.interruptible(|| {
            std::thread::scope(|scope| {
                let (builder, reopened) = (std::thread::Builder::new(), of_new.clone());
                let second = builder.spawn_scoped(scope, || open(new, of_new));
                let first = open_old();
                let second = match second {
                    Ok(second) => second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(_) => open(new, reopened),
                };
                (first, second)
            })
        });
        let first = opened(first)?;
        self.tell_of(&first);
        // Now it is the turn of the new build.
        held.print(&self.printer);
        let second = opened(second)?;
        self.tell_of(&second);
        Ok([first, second])
    }

    /// The chunks among some that an older build does not have in this form.
    pub(crate) fn changed_since(
        &self,
        old: &Path,
        args: &StoreArgs,
        game: &Game,
        entries: &[Entry],
    ) -> anyhow::Result<Vec<Entry>> {
        let old = self.open_inputs(&[old.to_owned()], args, Lend::ForPaths)?;
        self.warn_of_locks(&old);
        Ok(game.changed_since(&old, entries)?)
    }

    /// Reports locked containers, in commands whose jobs would not report them.
    pub(crate) fn warn_of_locks(&self, game: &Game) {
        for container in game.containers().iter().filter(|container| container.role() == Role::Content) {
            if let Some(error) = container.locked() {
                self.printer.problem(error);
            }
        }
    }

    /// Opens the output folder of a job. A resumed job removes unfinished files of earlier runs, unless it is a shard:
    /// other machines may be writing to the folder, too.
    pub(crate) fn output(
        &self,
        folder: &Path,
        resume: bool,
        shard: Option<Shard>,
    ) -> Result<Arc<dyn Sink>, Error> {
        let sink = open_output(folder)?;
        if resume && shard.is_none() {
            let removed = sink.remove_leftovers();
            if removed > 0 {
                let removed = printer::counted(removed, "unfinished file", "unfinished files");
                self.printer.note(&format!("removed {removed} of earlier runs"));
            }
        }
        Ok(sink)
    }

    /// Reports files that were not replaced because somebody has changed them.
    pub(crate) fn warn_of_edited(&self, sink: &dyn Sink) {
        // All of them, unlike in other lists: each is somebody's work.
        for path in sink.edited() {
            self.printer.warning(&format!("kept, as it was changed since it was written: {path}"));
            self.printer.hint(Some("--overwrite always replaces such files"));
        }
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
        game::read_file(path, self.memory)
    }

    /// Reads the first `len` bytes of a file, or as many as the memory limit allows.
    pub(crate) fn read_start(&self, path: &Path, len: u64) -> Result<Vec<u8>, Error> {
        let file = game::open_file(path).map_err(Error::io("open", path))?;
        let mut bytes = Vec::new();
        // `take` bounds the read even if the file grows meanwhile.
        file.take(len.min(self.memory)).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        Ok(bytes)
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

    /// The game for a job that a bar shows, which counts `noun`.
    pub(crate) fn watched(&self, game: &Game, noun: &'static str) -> (Game, Arc<Progress>) {
        let progress = Progress::new(&self.printer, noun);
        (game.watched_by(Arc::clone(&progress) as Arc<dyn Observer>), progress)
    }

    /// The options for making a file, which a bar shows.
    pub(crate) fn making(&self, noun: &'static str) -> (GameOptions, Arc<Progress>) {
        let progress = Progress::new(&self.printer, noun);
        (self.options().observer(Arc::clone(&progress) as Arc<dyn Observer>), progress)
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
            // Where nobody can listen, the system ends the program.
            let Ok(mut interruption) = Interruption::listen() else { return serving.await };
            let (serving, interrupted) = (std::pin::pin!(serving), std::pin::pin!(interruption.comes()));
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

    /// Runs a job to its end. Ctrl-C cancels it: open files are finished or removed, the rest is not begun.
    pub(crate) fn interruptible<T>(&self, job: impl FnOnce() -> T) -> T {
        self.run_saying("interrupted; finishing open files", job)
    }

    /// Runs a job whose output appears completely or not at all.
    pub(crate) fn make<T>(&self, job: impl FnOnce() -> T) -> T {
        self.run_saying("interrupted; removing unfinished files", job)
    }

    /// Runs a job on this thread while another one listens for Ctrl-C, since a job may compute for long without looking up.
    fn run_saying<T>(&self, interruption_note: &'static str, job: impl FnOnce() -> T) -> T {
        let listener = self.listen(interruption_note);
        let result = job();
        drop(listener);
        result
    }

    /// Listens for Ctrl-C, which cancels the run. `None` where nobody can: there the system ends the program, which leaves
    /// nothing unfinished under a final name.
    fn listen(&self, interruption_note: &'static str) -> Option<Listener> {
        let runtime = Self::runtime().ok()?;
        let (done, is_done) = tokio::sync::oneshot::channel::<()>();
        let (listening, is_listening) = std::sync::mpsc::channel::<()>();
        let (printer, cancel) = (Arc::clone(&self.printer), self.cancel.clone());
        let listen = async move {
            let Ok(mut interruption) = Interruption::listen() else { return };
            drop(listening);
            let (interrupted, is_done) = (std::pin::pin!(interruption.comes()), std::pin::pin!(is_done));
            if let Either::Left(((), is_done)) = future::select(interrupted, is_done).await {
                printer.note(interruption_note);
                cancel.cancel();
                // The sender is dropped when the job has ended.
                drop(is_done.await);
            }
        };
        let thread = std::thread::Builder::new().spawn(move || runtime.block_on(listen)).ok()?;
        // Nobody sends anything: the sender is dropped as soon as Ctrl-C cancels the job, or when it never will.
        let _ = is_listening.recv();
        Some(Listener { done: Some(done), thread: Some(thread) })
    }
}

/// Thread that listens for Ctrl-C until this is dropped.
struct Listener {
    done: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        drop(self.done.take());
        drop(self.thread.take().map(std::thread::JoinHandle::join));
    }
}

/// A game, or why it cannot be opened, as errors that exit codes follow from.
fn opened(game: Result<Game, GameError>) -> anyhow::Result<Game> {
    game.map_err(|error| match error {
        GameError::Discover(error) => error.into(),
        GameError::Io(error) => error.into(),
        other => other.into(),
    })
}

/// Ctrl-C, or on Windows also Ctrl-Break or the closing of the window, after which a run has some seconds to clean up.
struct Interruption {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
    #[cfg(windows)]
    events:
        (tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlBreak, tokio::signal::windows::CtrlClose),
}

impl Interruption {
    /// From here on, an interruption no longer ends the program. An error if the system has no room for a handler.
    fn listen() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self { signal: signal(SignalKind::interrupt())? })
        }
        #[cfg(windows)]
        {
            use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
            Ok(Self { events: (ctrl_c()?, ctrl_break()?, ctrl_close()?) })
        }
    }

    /// Waits for the next one, or for one that came since [`listen`](Self::listen).
    async fn comes(&mut self) {
        #[cfg(unix)]
        self.signal.recv().await;
        #[cfg(windows)]
        {
            let (interrupted, stopped, closed) = &mut self.events;
            let (stopped, closed) = (std::pin::pin!(stopped.recv()), std::pin::pin!(closed.recv()));
            let interrupted = std::pin::pin!(interrupted.recv());
            future::select(interrupted, future::select(stopped, closed)).await;
        }
    }
}

fn given(args: &StoreArgs) -> Vec<PathBuf> {
    std::iter::once(&args.input).chain(&args.more_inputs).cloned().collect()
}
