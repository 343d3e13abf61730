use crate::wire::{Archive, Fault, WireString};

/// `FEngineVersion`: the engine that wrote a file; all zero in cooked packages.
#[doc(alias = "FEngineVersion")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct EngineVersion {
    /// Such as 5.
    pub major: u16,
    /// Such as 4.
    pub minor: u16,
    /// Such as 1.
    pub patch: u16,
    /// Changelist; the top bit marks a licensee's build.
    pub changelist: u32,
    /// Such as `++UE5+Release-5.4`.
    pub branch: WireString,
}

impl EngineVersion {
    /// Reads it, or writes it.
    pub(crate) fn archive<A: Archive>(&mut self, a: &mut A) -> Result<(), Fault> {
        a.u16("engine version: major", &mut self.major)?;
        a.u16("engine version: minor", &mut self.minor)?;
        a.u16("engine version: patch", &mut self.patch)?;
        a.u32("engine version: changelist", &mut self.changelist)?;
        a.string("engine version: branch", &mut self.branch)
    }
}
