//! Resource usage of a process, as the system counts it.

use rustix::process::{getpid, set_child_subreaper};
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// Says which process a program will be, and starts it when the input ends.
const START: &str = r#"exec 3<&0; { read -r _ <&3; exec "$@" 3<&- </dev/null; } >/dev/null & echo $!"#;

/// Resource usage of a process from start to end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// Its exit status.
    pub(crate) status: ExitStatus,
    /// Its largest resident size in bytes.
    pub(crate) memory: u64,
    /// Processor time of the process itself.
    pub(crate) user_time: Duration,
    /// Processor time of the system on its behalf.
    pub(crate) system_time: Duration,
}

/// Runs a command that sets its whole environment, and measures it. Its output goes nowhere.
///
/// The system records the largest size of a process, but counts in that of the process it was started from, and this one
/// may be large. So a shell makes it, and ends at once; the process is then this one's to wait for, and begins.
pub(crate) fn measure(command: &Command, stderr: Stdio) -> Usage {
    set_child_subreaper(Some(getpid())).expect("children of children");
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let mut shell = Command::new("/bin/sh")
        .args(["-c", START, "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .envs(variables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("a shell");
    let begin = shell.stdin.take();
    let shell = shell.wait_with_output().expect("a shell");
    drop(begin);
    wait(String::from_utf8_lossy(&shell.stdout).trim().parse().expect("the number of a process"))
}

/// Waits for a process to end.
#[expect(unsafe_code, reason = "there is no safe function that waits and says what a process took")]
fn wait(process: libc::pid_t) -> Usage {
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    loop {
        // SAFETY: both pointers are to places of the right type, and live while the call lasts.
        if unsafe { libc::wait4(process, &raw mut status, 0, usage.as_mut_ptr()) } == process {
            break;
        }
        let error = std::io::Error::last_os_error();
        assert_eq!(error.kind(), std::io::ErrorKind::Interrupted, "{error}");
    }
    // SAFETY: it is all integers, for which zeros are valid, and the call has filled it.
    let usage = unsafe { usage.assume_init() };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    Usage {
        status: ExitStatus::from_raw(status),
        memory: usage.ru_maxrss.unsigned_abs() * 1024,
        user_time: time(usage.ru_utime),
        system_time: time(usage.ru_stime),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `dd` reads into a buffer of the size that it is given.
    #[test]
    fn a_process_is_measured_by_itself() {
        let ours = std::hint::black_box(vec![1_u8; 64 << 20]);
        let mut small = Command::new("/bin/sh");
        let small = measure(small.args(["-c", "exit 3"]), Stdio::inherit());
        assert_eq!(small.status.code(), Some(3));
        assert!((1..16 << 20).contains(&small.memory), "{} bytes beside {}", small.memory, ours.len());
        let mut large = Command::new("/bin/dd");
        let large = measure(large.args(["if=/dev/zero", "of=/dev/null", "bs=48M", "count=4"]), Stdio::null());
        assert!(large.status.success() && large.memory > 48 << 20, "{large:?}");
        assert!(large.user_time + large.system_time > Duration::ZERO, "{large:?}");
    }
}
