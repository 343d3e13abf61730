//! Blueprints as code.

use super::Game;
use crate::code::{self, CodeChange, CodeHits, CodeOptions, CodeQuery, CodeRead, PackageCode};
use crate::error::Result;
use crate::job::Outcome;
use crate::sink::Sink;
use crate::values::{PackageInputs, ValueOptions, ValuesRead};
use std::sync::Arc;

impl Game {
    /// Writes the code of each package that has any as a file.
    pub fn write_code(
        &self,
        inputs: PackageInputs,
        sink: Arc<dyn Sink>,
        options: CodeOptions,
    ) -> Result<Outcome<CodeRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| code::write_code(packages, inputs, sink, context, options).await)?
    }

    /// Calls a function with the code of each package that has any, in their order.
    pub fn each_code(
        &self,
        inputs: PackageInputs,
        options: CodeOptions,
        found: impl FnMut(PackageCode) -> Result<()>,
    ) -> Result<Outcome<CodeRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| code::each_code(packages, inputs, context, options, found).await)?
    }

    /// Calls a function with what a query finds in the code of each package that has any of it, in their order.
    pub fn find_code(
        &self,
        inputs: PackageInputs,
        query: CodeQuery,
        options: ValueOptions,
        found: impl FnMut(CodeHits) -> Result<()>,
    ) -> Result<Outcome<ValuesRead>> {
        let packages = Arc::clone(&self.packages);
        let job = async |context: &_| code::find_code(packages, inputs, query, context, options, found).await;
        self.run(false, job)?
    }
}

/// Calls a function with every package whose code differs between two builds, in the order of the new one.
pub fn code_differences(
    [old, new]: [&Game; 2],
    inputs: [PackageInputs; 2],
    options: [ValueOptions; 2],
    found: impl FnMut(CodeChange) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let packages = [old, new].map(|game| Arc::clone(&game.packages));
    new.run(false, async |context| code::code_differences(packages, inputs, options, context, found).await)?
}
