//! Changes that are collected before a mod is made of them.

use crate::errors::{self, Raised};
use crate::outcomes;
use crate::shared::Shared;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use uncask::game::{
    BuildError, BuildOptions, JoinError, PackOptions, Recipe, RecipeChange, RecipeError, RecipePicture,
    RecipePlace, RecipeProblem, RuleChange,
};

type Object<'py> = Bound<'py, PyAny>;

/// Changes to the packages of a game, collected by `Game.edit()`: nothing is read or written before `save` or `recipe`. Every
/// method that adds a change returns the changes, so that calls can be chained.
///
/// packages: a name such as `/Game/Items/Sword`, a pattern in which `*` is any characters, or a list of these.
/// address: as `uncask set` takes it, such as `DT_Items.*.Price`; `*` is any name, `**` any number of steps.
/// where: values beside the changed one by their paths, each with what it has to be: a number, a range such as `">5"`, a text that
///   may have `*`, or a list of these.
/// expected: the old value; another one is among the doubts of the result.
/// optional: no error if nothing fits.
#[pyclass(module = "uncask", frozen)]
pub(crate) struct Changes {
    shared: Arc<Shared>,
    recipe: Mutex<Recipe>,
}

impl Changes {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, recipe: Mutex::default() }
    }

    fn recipe_now(&self) -> Recipe {
        self.recipe.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn push(
        &self,
        py: Python<'_>,
        (packages, address, change): (&Object<'_>, String, RuleChange),
        (conditions, expected, is_optional): (Option<&Bound<'_, PyDict>>, Option<&Object<'_>>, bool),
    ) -> PyResult<()> {
        let packages = match packages.extract::<String>() {
            Ok(one) => vec![one],
            Err(_) => packages.extract()?,
        };
        let conditions =
            conditions.map(|conditions| conditions.iter().map(condition).collect::<PyResult<_>>());
        let from = expected.map(|expected| json(expected)).transpose()?;
        let change = RecipeChange {
            place: RecipePlace::default(),
            packages,
            property: address,
            class: None,
            conditions: conditions.transpose()?.unwrap_or_default(),
            from: from.and_then(|text| serde_json::from_str(&text).ok()),
            change,
            is_optional,
        };
        change.check().map_err(|problem| errors::raise(py, &problem))?;
        self.recipe.lock().unwrap_or_else(PoisonError::into_inner).changes.push(change);
        Ok(())
    }
}

/// A condition: its path, and the texts of which one is enough.
fn condition((path, wanted): (Object<'_>, Object<'_>)) -> PyResult<(String, Vec<String>)> {
    let text = |value: &Object<'_>| value.extract::<String>().or_else(|_| json(value));
    let texts = match wanted.cast::<pyo3::types::PyList>() {
        Ok(several) => several.iter().map(|one| text(&one)).collect::<PyResult<_>>()?,
        Err(_) => vec![text(&wanted)?],
    };
    Ok((path.extract()?, texts))
}

/// A value as JSON.
fn json(value: &Object<'_>) -> PyResult<String> {
    value.py().import("json")?.getattr("dumps")?.call1((value,))?.extract()
}

/// A value as the text that sets it: texts as such, all others as JSON.
fn set_text(value: &Object<'_>) -> PyResult<String> {
    value.extract::<String>().or_else(|_| json(value))
}

#[pymethods]
impl Changes {
    /// Number of changes.
    fn __len__(&self) -> usize {
        let recipe = self.recipe_now();
        recipe.changes.len() + recipe.pictures.len()
    }

    fn __repr__(&self) -> String {
        format!("<uncask.Changes: {}>", self.__len__())
    }

    /// Sets values. Structs, arrays and maps are dicts and lists; of a struct, those members that change.
    #[pyo3(signature = (packages, address, value, *, r#where=None, expected=None, optional=false))]
    fn set<'py>(
        this: Bound<'py, Self>,
        packages: &Object<'py>,
        address: String,
        value: &Object<'py>,
        r#where: Option<&Bound<'py, PyDict>>,
        expected: Option<&Object<'py>>,
        optional: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let change = RuleChange::Set(set_text(value)?);
        this.get().push(this.py(), (packages, address, change), (r#where, expected, optional))?;
        Ok(this)
    }

    /// Multiplies numbers. Whole ones are rounded.
    #[pyo3(signature = (packages, address, factor, *, r#where=None, optional=false))]
    fn multiply<'py>(
        this: Bound<'py, Self>,
        packages: &Object<'py>,
        address: String,
        factor: f64,
        r#where: Option<&Bound<'py, PyDict>>,
        optional: bool,
    ) -> PyResult<Bound<'py, Self>> {
        this.get().push(
            this.py(),
            (packages, address, RuleChange::Multiply(factor)),
            (r#where, None, optional),
        )?;
        Ok(this)
    }

    /// Adds to numbers.
    #[pyo3(signature = (packages, address, summand, *, r#where=None, optional=false))]
    fn add<'py>(
        this: Bound<'py, Self>,
        packages: &Object<'py>,
        address: String,
        summand: f64,
        r#where: Option<&Bound<'py, PyDict>>,
        optional: bool,
    ) -> PyResult<Bound<'py, Self>> {
        this.get().push(
            this.py(),
            (packages, address, RuleChange::Add(summand)),
            (r#where, None, optional),
        )?;
        Ok(this)
    }

    /// Appends to arrays and sets, with a list; or to maps, with a dict, whose keys replace those that are there.
    #[pyo3(signature = (packages, address, values, *, r#where=None, optional=false))]
    fn append<'py>(
        this: Bound<'py, Self>,
        packages: &Object<'py>,
        address: String,
        values: &Object<'py>,
        r#where: Option<&Bound<'py, PyDict>>,
        optional: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let items = match values.cast::<PyDict>() {
            Ok(entries) => entries
                .iter()
                .map(|(key, value)| Ok((Some(set_text(&key)?), set_text(&value)?)))
                .collect::<PyResult<_>>()?,
            Err(_) => {
                values.try_iter()?.map(|item| Ok((None, set_text(&item?)?))).collect::<PyResult<_>>()?
            }
        };
        this.get().push(
            this.py(),
            (packages, address, RuleChange::Append(items)),
            (r#where, None, optional),
        )?;
        Ok(this)
    }

    /// Removes the element, row or key at the address; or, with `values`, those elements of an array that are like one of them.
    #[pyo3(signature = (packages, address, values=None, *, r#where=None, optional=false))]
    fn remove<'py>(
        this: Bound<'py, Self>,
        packages: &Object<'py>,
        address: String,
        values: Option<&Object<'py>>,
        r#where: Option<&Bound<'py, PyDict>>,
        optional: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let values =
            values.map(|values| values.try_iter()?.map(|item| json(&item?)).collect::<PyResult<Vec<_>>>());
        let parsed =
            |texts: Vec<String>| texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        let change =
            values.transpose()?.map_or(RuleChange::Remove, |texts| RuleChange::RemoveValues(parsed(texts)));
        this.get().push(this.py(), (packages, address, change), (r#where, None, optional))?;
        Ok(this)
    }

    /// Replaces the picture of a texture by a PNG, EXR or DDS file.
    #[pyo3(signature = (package, file, *, object=None))]
    fn replace(
        this: Bound<'_, Self>,
        package: String,
        file: PathBuf,
        object: Option<String>,
    ) -> Bound<'_, Self> {
        let place = RecipePlace::default();
        let picture = RecipePicture { place, package, object, file, is_optional: false };
        this.get().recipe.lock().unwrap_or_else(PoisonError::into_inner).pictures.push(picture);
        this
    }

    /// Makes the changes and writes the mod: a `.utoc`, a `.pak`, or files below a folder. If any cannot be made, nothing is
    /// written and the result has the problems; with `keep_going`, the others are written.
    ///
    /// overwrite: replace existing files.
    /// force: write even what the game would not load.
    #[expect(clippy::needless_pass_by_value, reason = "Python gives paths as such")]
    #[pyo3(signature = (output, *, keep_going=false, overwrite=false, force=false))]
    fn save<'py>(
        &self,
        py: Python<'py>,
        output: PathBuf,
        keep_going: bool,
        overwrite: bool,
        force: bool,
    ) -> PyResult<Object<'py>> {
        let packing = PackOptions { companion: true, replace: overwrite, force, ..PackOptions::default() };
        let options = BuildOptions { packing, keep_going, ..BuildOptions::default() };
        let recipe = self.recipe_now();
        let built = py.detach(|| self.shared.game.build(&recipe, Some(&output), &options));
        outcomes::built(py, &built.map_err(|error| errors::raise(py, &error))?)
    }

    /// Shows what the changes would do, without writing anything.
    fn preview<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let recipe = self.recipe_now();
        let built = py.detach(|| self.shared.game.build(&recipe, None, &BuildOptions::default()));
        outcomes::built(py, &built.map_err(|error| errors::raise(py, &error))?)
    }

    /// Writes the changes as a recipe, which `uncask build` makes a mod of: `mod.toml` in a folder, and copies of the pictures
    /// beside it.
    #[expect(clippy::needless_pass_by_value, reason = "Python gives paths as such")]
    #[pyo3(signature = (folder, *, overwrite=false))]
    fn recipe(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        let recipe = self.recipe_now();
        py.detach(|| recipe.save(&folder, overwrite)).map_err(|error| errors::raise(py, &error))
    }
}

impl Raised for RecipeProblem {
    fn exception(&self) -> &'static str {
        match self {
            Self::File(error) => error.exception(),
            _ => "InvalidArgument",
        }
    }
}

impl Raised for RecipeError {
    fn exception(&self) -> &'static str {
        self.problem.exception()
    }
}

impl Raised for BuildError {
    fn exception(&self) -> &'static str {
        match self {
            Self::Recipe(error) => error.exception(),
            Self::Io(error) | Self::Join(JoinError::Io(error)) => error.exception(),
            _ => "UncaskError",
        }
    }
}
