//! The commands `CleanFiles` and `SplitText` as verwalter 0.13 describes them, with its libraries for patterns and expressions.
//!
//! `{"name": "clean", "pattern": "a/(*)", "keep": "x\ny\n"}` and
//! `{"name": "split", "section": "^=(.*)", "validate": ".*", "dest": "a/(*)", "text": "..."}`.
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use capturing_glob::{glob_with, MatchOptions, Pattern};
use regex::Regex;
use serde_json::Value;

type Failed = Box<dyn Error>;

struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn applied(case: &Value) -> Result<BTreeMap<String, String>, String> {
    let place = Place(std::env::temp_dir().join(format!("upstream-{}", process::id())));
    run(&place.0, case).map_err(|error| error.to_string())
}

fn run(root: &Path, case: &Value) -> Result<BTreeMap<String, String>, Failed> {
    fs::create_dir_all(root)?;
    for (name, text) in case["files"].as_object().ok_or("files")? {
        let path = root.join(name);
        fs::create_dir_all(path.parent().ok_or("a file")?)?;
        fs::write(path, text.as_str().ok_or("text")?)?;
    }
    let command = &case["command"];
    match text(command, "name")? {
        "clean" => clean(root, text(command, "pattern")?, text(command, "keep")?)?,
        _ => split(root, command)?,
    }
    let mut files = BTreeMap::new();
    read(root, root, &mut files)?;
    Ok(files)
}

fn text<'a>(command: &'a Value, name: &str) -> Result<&'a str, Failed> {
    command[name].as_str().ok_or_else(|| name.into())
}

fn remove_others(root: &Path, pattern: &str, kept: &HashSet<String>) -> Result<(), Failed> {
    let options = MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
    for entry in glob_with(&format!("{}/{}", root.display(), pattern), &options).map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.error().to_string())?;
        let captured = entry.group(1).and_then(|group| group.to_str()).unwrap_or("").to_string();
        if !kept.contains(&captured) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn clean(root: &Path, pattern: &str, keep: &str) -> Result<(), Failed> {
    remove_others(root, pattern, &keep.lines().map(String::from).collect())
}

fn split(root: &Path, command: &Value) -> Result<(), Failed> {
    let section = Regex::new(text(command, "section")?)?;
    let validate = Regex::new(text(command, "validate")?)?;
    let dest = text(command, "dest")?;
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in text(command, "text")?.lines() {
        if let Some(start) = section.captures(line) {
            let name = start.get(1).map(|group| group.as_str()).unwrap_or("").to_string();
            if !validate.is_match(&name) {
                return Err(format!("invalid section {}", name).into());
            }
            sections.insert(name.clone(), String::new());
            current = Some(name);
        } else if let Some(ref name) = current {
            let lines = sections.get_mut(name).ok_or("a section")?;
            lines.push_str(line);
            lines.push('\n');
        } else if !line.trim().is_empty() {
            return Err("a line before the first section".into());
        }
    }
    let pattern = Pattern::new(dest).map_err(|error| error.to_string())?;
    for (name, lines) in &sections {
        let file = pattern.substitute(&[name]).map_err(|_| "a pattern that takes no name")?;
        fs::write(root.join(file), lines)?;
    }
    remove_others(root, dest, &sections.keys().cloned().collect())
}

fn read(root: &Path, directory: &Path, files: &mut BTreeMap<String, String>) -> Result<(), Failed> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            read(root, &path, files)?;
        } else {
            let name = path.strip_prefix(root)?.to_str().ok_or("a name")?.to_string();
            files.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
