use serde_json::{json, Map, Value};
use std::alloc::{alloc as a, dealloc as d, Layout};

const HEAD: usize = 8;

#[no_mangle]
pub extern "C" fn alloc(size: usize) -> *mut u8 {
    unsafe {
        let layout = Layout::from_size_align_unchecked(size + HEAD, HEAD);
        let block = a(layout);
        *(block as *mut usize) = size + HEAD;
        block.add(HEAD)
    }
}

#[no_mangle]
pub unsafe extern "C" fn dealloc(address: *mut u8) {
    let block = address.sub(HEAD);
    let size = *(block as *mut usize);
    d(block, Layout::from_size_align_unchecked(size, HEAD));
}

#[no_mangle]
pub unsafe extern "C" fn scheduler(address: *const u8, length: usize) -> *mut u8 {
    let text = decide(std::slice::from_raw_parts(address, length));
    let result = alloc(text.len());
    std::ptr::copy_nonoverlapping(text.as_ptr(), result, text.len());
    result
}

/// Every role runs the newest of its versions on this host and on all of its peers.
fn decide(text: &[u8]) -> Vec<u8> {
    let input: Value = serde_json::from_slice(text).expect("the input is JSON");
    let mut hosts = vec![input["current_host"].as_str().unwrap_or("").to_string()];
    if let Some(peers) = input["peers"].as_object() {
        hosts.extend(peers.values().filter_map(|peer| peer["hostname"].as_str()).map(String::from));
    }
    hosts.sort();
    let (mut roles, mut known) = (Map::new(), Map::new());
    for (role, metadata) in input["runtime"].as_object().into_iter().flatten() {
        let versions = metadata.as_object().into_iter().flatten();
        if let Some((version, wanted)) = versions.filter(|(name, _)| name.starts_with('v')).max_by_key(|(name, _)| *name) {
            known.insert(role.clone(), json!({}));
            roles.insert(role.clone(), json!({
                "template": "app/v1",
                "version": version,
                "image": wanted["image"],
                "count": wanted["count"],
            }));
        }
    }
    let nodes: Map<_, _> = hosts.iter().map(|host| (host.clone(), json!({"roles": roles}))).collect();
    let answers: Map<_, _> = input["actions"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(id, action)| (id.clone(), json!({"seen": action})))
        .collect();
    json!({
        "schedule": {"roles": known, "nodes": nodes},
        "log": format!("{} hosts", hosts.len()),
        "actions": answers,
    })
    .to_string()
    .into_bytes()
}
