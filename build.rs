//! Gives `uncask.exe` its version, icon and manifest: paths of more than 260 characters, and texts as UTF-8.

fn main() {
    println!("cargo::rerun-if-changed=src/bin/uncask/windows");
    #[cfg(feature = "cli")]
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        let mut resource = winresource::WindowsResource::new();
        resource.set_icon("src/bin/uncask/windows/uncask.ico");
        resource.set_manifest_file("src/bin/uncask/windows/uncask.manifest");
        resource.set("ProductName", "uncask").set("FileDescription", env!("CARGO_PKG_DESCRIPTION"));
        resource.set("LegalCopyright", env!("CARGO_PKG_LICENSE"));
        // Without a resource compiler it is the same program, which only looks plainer.
        if let Err(error) = resource.compile_for("uncask") {
            println!("cargo::warning=uncask.exe gets no version, icon and manifest: {error}");
        }
    }
}
