use super::refusal::Refusal;

/// Runs a job of the library to its end.
pub(super) fn block_on<T>(job: impl Future<Output = T>) -> Result<T, Refusal> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Refusal::internal(error.to_string()))?;
    Ok(runtime.block_on(job))
}
