//! Keywords of `Game.export`.

use crate::{arguments, errors};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use uncask::game::{ClassFilter, CubeForm, ExportOptions, HeightForm, InstanceForm, Levels, NaniteDetail};

/// Options of an export, from the keywords that are its own.
pub(crate) fn options(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<ExportOptions> {
    let mut made = ExportOptions::default();
    for (keyword, value) in keywords.into_iter().flatten() {
        let keyword: String = keyword.extract()?;
        // None is what there is without the keyword.
        if !value.is_none() {
            set(&mut made, &keyword, &value)?;
        }
    }
    Ok(made)
}

fn set(made: &mut ExportOptions, keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = value.py();
    let levels = |all| if all { Levels::All } else { Levels::Best };
    match keyword {
        "forms" => made.forms = arguments::forms(py, Some(value))?,
        "all_mips" => made.mips = levels(value.extract()?),
        "all_lods" => made.lods = levels(value.extract()?),
        "nanite" => made.nanite = nanite(value)?,
        "cube" => {
            let known = [("faces", CubeForm::Faces), ("equirectangular", CubeForm::Equirectangular)];
            made.cubes = word(keyword, value, known)?;
        }
        "collision" => made.collision = value.extract()?,
        "instances" => {
            let known = [("instanced", InstanceForm::Instanced), ("nodes", InstanceForm::Nodes)];
            made.scene.instances = word(keyword, value, known)?;
        }
        "heights" => {
            let known = [("png", HeightForm::Png), ("exr", HeightForm::Exr)];
            made.scene.heights = word(keyword, value, known)?;
        }
        "textures" => made.scene.textures = value.extract()?,
        "hidden" => made.scene.hidden = value.extract()?,
        "within" => made.scene.within = Some(numbers(keyword, value)?),
        "origin" => made.scene.origin = Some(numbers(keyword, value)?),
        "max_triangles" => made.scene.max_triangles = Some(value.extract()?),
        "classes" => {
            let names = arguments::texts(Some(value))?;
            made.scene.classes = ClassFilter::new(&names).map_err(|error| errors::invalid(py, &error))?;
        }
        _ => {
            let problem = format!("export() got an unexpected keyword argument '{keyword}'");
            return Err(PyTypeError::new_err(problem));
        }
    }
    Ok(())
}

/// One of some words.
fn word<T, const N: usize>(keyword: &str, value: &Bound<'_, PyAny>, known: [(&str, T); N]) -> PyResult<T> {
    let text: String = value.extract()?;
    let names = known.each_ref().map(|(name, _)| *name).join(", ");
    let found = known.into_iter().find(|(name, _)| *name == text);
    let unknown = || errors::invalid(value.py(), &format!("{keyword} is {text:?}, expected one of {names}"));
    found.map(|(_, found)| found).ok_or_else(unknown)
}

fn nanite(value: &Bound<'_, PyAny>) -> PyResult<NaniteDetail> {
    let Ok(distance) = value.extract::<f32>() else {
        return word("nanite", value, [("full", NaniteDetail::Full), ("fallback", NaniteDetail::Fallback)]);
    };
    if distance >= 0.0 && distance.is_finite() {
        Ok(NaniteDetail::Within(distance))
    } else {
        let problem = format!("nanite is {distance}, expected 0 or more centimetres");
        Err(errors::invalid(value.py(), &problem))
    }
}

fn numbers(keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let numbers: [f64; 3] = value.extract()?;
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(numbers)
    } else {
        Err(errors::invalid(value.py(), &format!("{keyword} is {numbers:?}, expected numbers")))
    }
}
