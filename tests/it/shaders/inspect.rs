//! `uncask inspect` on shader libraries.

use super::made::Made;
use crate::support::cli::{settings, uncask};
use crate::support::containers::Packed;
use uncask::codec::Method;
use uncask::container::shader_library::{LooseShaderLibrary, ShaderLibrary};
use uncask::pack::PackOptions;

#[test]
fn both_forms_are_shown() {
    let made = Made::new(Method::Zlib, "Demo-PCD3D_SM6");
    let (path, index) = made.index_file();
    let packed = Packed::new([(path.as_str(), index.clone())], &PackOptions::default());
    let library = ShaderLibrary::parse(&index).unwrap();
    let file = LooseShaderLibrary::lay_out(&library, |shader| library.shaders[shader].len).header().unwrap();
    // Two shaders of code are there.
    std::fs::write(packed.beside("loose.ushaderbytecode"), [file.clone(), vec![7; 3500]].concat()).unwrap();
    std::fs::write(packed.beside("cut.ushaderbytecode"), &file[..300]).unwrap();
    std::fs::write(packed.beside("no_extension"), &index).unwrap();
    settings(packed.folder.path()).bind(|| {
        let chunk = format!("{}:*.shader_library", packed.toc.display());
        for (name, target, code) in [
            ("chunk", chunk, 0),
            ("loose", packed.beside("loose.ushaderbytecode").display().to_string(), 0),
            ("cut", packed.beside("cut.ushaderbytecode").display().to_string(), 1),
            ("no_extension", packed.beside("no_extension").display().to_string(), 0),
        ] {
            let shown = uncask(["inspect", &target]).expect(code).shown();
            insta::assert_snapshot!(format!("inspect_shaders_{name}"), shown);
        }
        let loose = packed.beside("loose.ushaderbytecode").display().to_string();
        // The code after the header is not read, however long it is.
        let json = uncask(["inspect", &loose, "--json", "--memory", "2K"]).expect(0).shown();
        insta::assert_snapshot!("inspect_shaders_json", json);
    });
}
