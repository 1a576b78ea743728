//! Renders templates with the engines that Verwalter 0.x used: one JSON object a line in, one JSON value a line out.
//!
//! In: `{"engine": "tera", "files": {"t.tera": "..."}, "main": "t.tera", "vars": {...}}`.
//! Out: `{"text": "..."}`, or `{"error": "..."}` where the engine refuses.
//!
//! `{"engine": "files", "files": {"a/b": "..."}, "command": {...}}` applies a command of a recipe to a directory with these files.
//! Out: `{"files": {...}}`, what the directory holds then. See `files.rs`.
#[macro_use]
extern crate serde_json;

mod files;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic;

use serde_json::Value;

fn files(case: &Value) -> BTreeMap<String, String> {
    let files = case["files"].as_object().expect("files");
    files.iter().map(|(name, text)| (name.clone(), text.as_str().expect("text").to_string())).collect()
}

fn tera(case: &Value) -> Result<String, String> {
    fn told(error: tera::Error) -> String {
        error.iter().map(|cause| cause.to_string()).collect::<Vec<_>>().join(": ")
    }
    let mut engine = tera::Tera::default();
    let files = files(case);
    engine
        .add_raw_templates(files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect())
        .map_err(told)?;
    engine.render(case["main"].as_str().expect("main"), &case["vars"]).map_err(told)
}

fn handlebars(case: &Value) -> Result<String, String> {
    let mut engine = handlebars::Handlebars::new();
    engine.register_escape_fn(handlebars::no_escape);
    for (name, text) in files(case) {
        engine.register_template_string(&name, text).map_err(|error| error.to_string())?;
    }
    engine.render(case["main"].as_str().expect("main"), &case["vars"]).map_err(|error| error.to_string())
}

fn trimmer(case: &Value) -> Result<String, String> {
    let text = case["files"][case["main"].as_str().expect("main")].as_str().expect("text");
    let template = trimmer::Parser::new().parse(text).map_err(|error| error.to_string())?;
    trimmer::render_json(&template, &case["vars"]).map_err(|error| error.to_string())
}

fn rendered(case: &Value) -> Result<String, String> {
    match case["engine"].as_str() {
        Some("tera") => tera(case),
        Some("handlebars") => handlebars(case),
        Some("trimmer") => trimmer(case),
        other => Err(format!("there is no engine {:?}", other)),
    }
}

fn answered(case: &Value) -> Result<Value, String> {
    match case["engine"].as_str() {
        Some("files") => files::applied(case).map(|files| json!({ "files": files })),
        _ => rendered(case).map(|text| json!({ "text": text })),
    }
}

fn main() -> io::Result<()> {
    panic::set_hook(Box::new(|_| {}));
    for line in io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let answer = match panic::catch_unwind(|| answered(&case)) {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => json!({ "error": error }),
            Err(_) => json!({ "error": "the engine panicked", "panicked": true }),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", answer)?;
        out.flush()?;
    }
    Ok(())
}
