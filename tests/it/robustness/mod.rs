//! Hostile and damaged containers: `Ok` or `Err`, never a panic, and only what is damaged is lost.

mod data;
#[cfg(feature = "cli")]
mod encoders;
mod faults;
#[cfg(all(feature = "cli", unix))]
mod inputs;
#[cfg(all(feature = "cli", unix))]
mod killed;
mod names;
mod sweep;
mod tables;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod threads;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod together;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod writers;
