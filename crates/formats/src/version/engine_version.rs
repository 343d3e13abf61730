use crate::wire::{Archive, Fault, WireString};

/// Version of the engine that wrote a file (`FEngineVersion`); all zero in cooked packages.
#[doc(alias = "FEngineVersion")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct EngineVersion {
    /// Major version, such as 5.
    pub major: u16,
    /// Minor version, such as 4.
    pub minor: u16,
    /// Patch version, such as 1.
    pub patch: u16,
    /// Changelist; the top bit marks a licensee's build.
    pub changelist: u32,
    /// Branch, such as `++UE5+Release-5.4`.
    pub branch: WireString,
}

impl EngineVersion {
    /// Archives the version.
    pub(crate) fn archive<A: Archive>(&mut self, a: &mut A) -> Result<(), Fault> {
        // No version gate: the record has had this form since 336.
        a.u16("engine version: major", &mut self.major)?;
        a.u16("engine version: minor", &mut self.minor)?;
        a.u16("engine version: patch", &mut self.patch)?;
        a.u32("engine version: changelist", &mut self.changelist)?;
        a.string("engine version: branch", &mut self.branch)
    }
}
