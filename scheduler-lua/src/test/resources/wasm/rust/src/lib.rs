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

fn decide(text: &[u8]) -> Vec<u8> {
    let input: Value = serde_json::from_slice(text).expect("input is JSON");
    let mut hosts = vec![input["current_host"].as_str().unwrap_or("").to_string()];
    if let Some(peers) = input["peers"].as_object() {
        hosts.extend(peers.values().filter_map(|p| p["hostname"].as_str()).map(String::from));
    }
    hosts.sort();
    let mut nodes = Map::new();
    for host in &hosts {
        let mut roles = Map::new();
        if let Some(runtime) = input["runtime"].as_object() {
            for (role, _) in runtime {
                roles.insert(role.clone(), json!({"daemons": 2, "host": host}));
            }
        }
        nodes.insert(host.clone(), json!({"roles": roles}));
    }
    let mut answers = Map::new();
    if let Some(actions) = input["actions"].as_object() {
        for (id, action) in actions {
            answers.insert(id.clone(), json!({"seen": action}));
        }
    }
    let out = json!({"schedule": {"nodes": nodes, "roles": {}}, "log": format!("{} hosts", hosts.len()), "actions": answers});
    serde_json::to_vec(&out).unwrap()
}
