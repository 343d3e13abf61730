//! Blueprints as code.

use super::{Game, GameError};
use crate::code::{
    self, CodeChange, CodeForm, CodeHits, CodeOptions, CodeQuery, CodeRead, FunctionNames, PackageCode,
};
use crate::error;
use crate::job::Outcome;
use crate::sink::Sink;
use crate::store::Chunk;
use crate::values::{PackageInputs, ValueOptions, ValuesRead};
use std::sync::Arc;

impl Game {
    /// Writes the code of each package that has any as a file.
    pub fn write_code(
        &self,
        inputs: PackageInputs,
        sink: Arc<dyn Sink>,
        options: CodeOptions,
    ) -> error::Result<Outcome<CodeRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| code::write_code(packages, inputs, sink, context, options).await)?
    }

    /// Calls a function with the code of each package that has any, in their order.
    pub fn each_code(
        &self,
        inputs: PackageInputs,
        options: CodeOptions,
        found: impl FnMut(PackageCode) -> error::Result<()>,
    ) -> error::Result<Outcome<CodeRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| code::each_code(packages, inputs, context, options, found).await)?
    }

    /// The code of a package of this game, such as `/Game/Blueprints/BP_Door`; an empty text if it has none.
    pub fn code(&self, name: &str, form: CodeForm) -> Result<String, GameError> {
        self.code_of(self.chunk(name)?, form, None)
    }

    /// The code of a package that is a chunk of this game; with the name of a function, only of that.
    pub fn code_of(
        &self,
        chunk: Chunk<'_>,
        form: CodeForm,
        function: Option<&str>,
    ) -> Result<String, GameError> {
        let inputs = PackageInputs::of_store(&self.store, &[chunk.entry()]);
        if inputs.is_empty() {
            return Err(GameError::NoPackage { path: chunk.display_path() });
        }
        let functions = FunctionNames::new(function.map(str::to_owned).as_slice());
        let options = CodeOptions { form, functions, values: self.value_options() };
        let mut text = String::new();
        let mut outcome = self.each_code(inputs, options, |code| {
            text = code.text;
            Ok(())
        })?;
        match outcome.failures.pop().or_else(|| outcome.mismatches.pop()) {
            Some(failure) => Err(failure.error.into()),
            None => Ok(text),
        }
    }

    /// Calls a function with what a query finds in the code of each package that has any of it, in their order.
    pub fn find_code(
        &self,
        inputs: PackageInputs,
        query: CodeQuery,
        options: ValueOptions,
        found: impl FnMut(CodeHits) -> error::Result<()>,
    ) -> error::Result<Outcome<ValuesRead>> {
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
    found: impl FnMut(CodeChange) -> error::Result<()>,
) -> error::Result<Outcome<ValuesRead>> {
    let packages = [old, new].map(|game| Arc::clone(&game.packages));
    new.run(false, async |context| code::code_differences(packages, inputs, options, context, found).await)?
}
