//! Documents of code, one per package, into a sink or to a function.

use super::document::{Blueprint, CodeForm, FunctionNames};
use crate::bytecode::CodeLink;
use crate::error::{Error, Result};
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::sink::{AppendingFile, OutputPath, Sink};
use crate::store::packages::Packages;
use crate::values::{PackageInput, PackageInputs, PackageJob, ValueOptions, ValuesRead};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// Options for writing code.
#[derive(Debug, Clone, Default)]
pub struct CodeOptions {
    /// Form of the documents.
    pub form: CodeForm,
    /// Functions that are wanted.
    pub functions: FunctionNames,
    /// Options for reading packages.
    pub values: ValueOptions,
}

/// Findings of a job about code.
#[derive(Debug, Default)]
pub struct CodeRead {
    /// Number of packages with code.
    pub packages: u64,
    /// Number of functions.
    pub functions: u64,
    /// Number of functions shown as listings, because they are damaged or their flow is too complex.
    pub unstructured: u64,
    /// Findings from reading the packages.
    pub values: ValuesRead,
}

/// The code of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageCode {
    /// The package, such as `/Game/Blueprints/BP_Door`.
    pub package: String,
    /// The document.
    pub text: String,
    /// Number of functions in it.
    pub functions: u64,
    /// Objects of other packages that words of pseudo-code stand for.
    pub links: BTreeMap<String, CodeLink>,
    unstructured: u64,
}

/// Writes the code of each package that has any into a sink.
pub async fn write_code(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: CodeOptions,
) -> Result<Outcome<CodeRead>> {
    let (form, functions) = (options.form, options.functions);
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| -> Worked<Option<PackageCode>> {
        let (code, mismatch) = read(job, item, form, &functions)?;
        if let Some(code) = &code {
            let path = output(item, form);
            let mut file = AppendingFile::new(sink.create(&path, code.text.len() as u64)?);
            file.write_all(code.text.as_bytes()).map_err(|error| match error.downcast::<Error>() {
                Ok(error) => error,
                Err(error) => Error::io("write the code of", &item.name)(error),
            })?;
            file.commit()?;
        }
        Ok((code, mismatch))
    };
    run(packages, inputs, context, options.values, work, |_| Ok(())).await
}

/// Calls a function with the code of each package that has any, in their order.
pub async fn each_code(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    options: CodeOptions,
    found: impl FnMut(PackageCode) -> Result<()>,
) -> Result<Outcome<CodeRead>> {
    let (form, functions) = (options.form, options.functions);
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| read(job, item, form, &functions);
    run(packages, inputs, context, options.values, work, found).await
}

async fn run(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    values: ValueOptions,
    work: impl Fn(&PackageJob, usize, &PackageInput) -> Worked<Option<PackageCode>> + Send + Sync + 'static,
    mut found: impl FnMut(PackageCode) -> Result<()>,
) -> Result<Outcome<CodeRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, values));
    let mut outcome: Outcome<CodeRead> = Outcome::of(Kind::Package);
    let mut counted = CodeRead::default();
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, code: Option<PackageCode>| {
        let Some(code) = code else { return Ok(()) };
        counted.packages += 1;
        counted.functions += code.functions;
        counted.unstructured += code.unstructured;
        found(code)
    };
    job.each(context, &mut outcome, work, done).await?;
    counted.values = job.finish(&mut outcome);
    // Packages without code were read, but nothing was made of them.
    outcome.count = counted.packages;
    outcome.done = counted;
    Ok(outcome)
}

fn read(
    job: &PackageJob,
    item: &PackageInput,
    form: CodeForm,
    functions: &FunctionNames,
) -> Worked<Option<PackageCode>> {
    if !job.library.may_have_code(item) {
        return Ok((None, None));
    }
    let mut loaded = job.load(item)?;
    let mismatch = loaded.take_mismatch();
    let scope = job.scope(&loaded);
    let blueprint = Blueprint::new(&scope);
    let made = blueprint.document(form, functions);
    let (package, text, links) = (scope.name().to_owned(), made.text, CodeLink::all(&blueprint.symbols));
    let code =
        PackageCode { package, text, functions: made.functions, links, unstructured: made.unstructured };
    Ok((Some(code).filter(|code| !code.text.is_empty()), mismatch))
}

/// Path of a document: the package's own, with another extension.
fn output(item: &PackageInput, form: CodeForm) -> OutputPath {
    item.output_as(match form {
        CodeForm::Pseudo => "code.txt",
        CodeForm::Listing => "listing.txt",
        CodeForm::Json => "code.json",
    })
}
