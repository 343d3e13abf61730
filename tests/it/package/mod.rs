//! Packages, container headers and script objects of the corpus.

mod support;

mod classic;
mod container;
mod convert;
mod converted;
mod json;
mod legacy;
mod rebuild;
mod resolve;
mod sniff;
mod to_zen;
mod zen;
