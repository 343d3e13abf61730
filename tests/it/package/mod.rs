//! Packages, container headers and script objects of the corpus.

mod support;

mod classic;
mod container;
mod legacy;
mod resolve;
mod zen;
