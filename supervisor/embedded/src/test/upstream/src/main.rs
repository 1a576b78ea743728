//! Reads cases from standard input and prints them with the verdict of quire 0.4.1, the parser of
//! lithos. The fields and their types are those of lithos's documentation.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::IpAddr;
use std::path::PathBuf;

use quire::validate::{Anything, Enum, Mapping, Nothing, Numeric, Scalar, Sequence, Structure};
use quire::{parse_string, Options};
use serde_derive::Deserialize;

#[derive(Deserialize)]
#[allow(dead_code)]
enum Kind {
    Daemon,
    Command,
    CommandOrDaemon,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Process {
    kind: Kind,
    image: String,
    config: String,
    instances: usize,
    variables: BTreeMap<String, String>,
    ip_addresses: Vec<IpAddr>,
    extra_secrets_namespaces: Vec<String>,
}

fn process<'a>() -> Mapping<'a> {
    Mapping::new(
        Scalar::new(),
        Structure::new()
            .member("kind", Scalar::new().default("Daemon"))
            .member("image", Scalar::new())
            .member("config", Scalar::new())
            .member("instances", Numeric::new().default(1))
            .member("variables", Mapping::new(Scalar::new(), Scalar::new()))
            .member("ip_addresses", Sequence::new(Scalar::new()))
            .member("extra_secrets_namespaces", Sequence::new(Scalar::new())),
    )
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum Activation {
    #[serde(rename = "systemd")]
    Systemd,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Port {
    activation: Option<Activation>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum Variable {
    TcpPort(Port),
    Choice(Vec<String>),
    Name,
    DottedName,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Container {
    kind: Kind,
    executable: String,
    arguments: Vec<String>,
    environ: BTreeMap<String, String>,
    workdir: PathBuf,
    user_id: Option<u32>,
    restart_timeout: f32,
    kill_timeout: f32,
    restart_process_only: bool,
    normal_exit_codes: Vec<i32>,
    stdout_stderr_file: Option<PathBuf>,
    memory_limit: u64,
    cpu_shares: usize,
    fileno_limit: u64,
    variables: BTreeMap<String, Variable>,
}

fn container<'a>() -> Structure<'a> {
    Structure::new()
        .member("metadata", Anything)
        .member("kind", Scalar::new().default("Daemon"))
        .member("executable", Scalar::new())
        .member("arguments", Sequence::new(Scalar::new()))
        .member("environ", Mapping::new(Scalar::new(), Scalar::new()))
        .member("workdir", Scalar::new().default("/"))
        .member("user_id", Numeric::new().optional())
        .member("restart_timeout", Numeric::new().min(0).max(86400).default(1))
        .member("kill_timeout", Numeric::new().min(0).max(86400).default(5))
        .member("restart_process_only", Scalar::new().default("false"))
        .member("normal_exit_codes", Sequence::new(Numeric::new()))
        .member("stdout_stderr_file", Scalar::new().optional())
        .member("memory_limit", Numeric::new().default(0x7fff_ffff_ffff_ffff))
        .member("cpu_shares", Numeric::new().default(1024))
        .member("fileno_limit", Numeric::new().default(1024))
        .member(
            "variables",
            Mapping::new(
                Scalar::new(),
                Enum::new()
                    .option(
                        "TcpPort",
                        Structure::new().member("activation", Scalar::new().optional()),
                    )
                    .option("Choice", Sequence::new(Scalar::new()))
                    .option("Name", Nothing)
                    .option("DottedName", Nothing),
            ),
        )
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Bridge {
    bridge: String,
    network: String,
    default_gateway: Option<IpAddr>,
    after_setup_command: Vec<String>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Sandbox {
    config_file: Option<PathBuf>,
    image_dir: PathBuf,
    image_dir_levels: u32,
    auto_clean: bool,
    log_file: Option<PathBuf>,
    log_level: Option<String>,
    readonly_paths: BTreeMap<PathBuf, PathBuf>,
    allow_users: Vec<String>,
    default_user: Option<u32>,
    default_group: u32,
    bridged_network: Option<Bridge>,
    secrets_namespaces: Vec<String>,
}

fn sandbox<'a>() -> Structure<'a> {
    Structure::new()
        .member("config_file", Scalar::new().optional())
        .member("image_dir", Scalar::new().default("/var/lib/lithos/containers"))
        .member("image_dir_levels", Numeric::new().min(1).max(16).default(1))
        .member("auto_clean", Scalar::new().default("true"))
        .member("log_file", Scalar::new().optional())
        .member("log_level", Scalar::new().optional())
        .member("readonly_paths", Mapping::new(Scalar::new(), Scalar::new()))
        .member("allow_users", Sequence::new(Scalar::new()))
        .member("default_user", Scalar::new().optional())
        .member("default_group", Scalar::new().default("0"))
        .member(
            "bridged_network",
            Structure::new()
                .optional()
                .member("bridge", Scalar::new())
                .member("network", Scalar::new())
                .member("default_gateway", Scalar::new().optional())
                .member("after_setup_command", Sequence::new(Scalar::new())),
        )
        .member("secrets_namespaces", Sequence::new(Scalar::new()))
}

fn accepted(kind: &str, text: &str) -> bool {
    let options = Options::default();
    match kind {
        "process" => {
            parse_string::<BTreeMap<String, Process>>("case", text, &process(), &options).is_ok()
        }
        "container" => parse_string::<Container>("case", text, &container(), &options).is_ok(),
        "sandbox" => parse_string::<Sandbox>("case", text, &sandbox(), &options).is_ok(),
        _ => panic!("unknown kind of file: {}", kind),
    }
}

fn main() {
    let mut cases = String::new();
    std::io::stdin().read_to_string(&mut cases).unwrap();
    for case in cases.split("### ").skip(1) {
        let end = case.find('\n').unwrap();
        let kind = case[..end].split(' ').next().unwrap();
        let text = &case[end + 1..];
        let verdict = match std::panic::catch_unwind(|| accepted(kind, text)) {
            Ok(true) => "accepted",
            Ok(false) => "refused",
            Err(_) => "panics",
        };
        print!("### {} {}\n{}", kind, verdict, text);
    }
}
