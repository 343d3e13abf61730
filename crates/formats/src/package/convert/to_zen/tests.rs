//! Small packages, and what is refused.
