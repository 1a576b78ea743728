use serde_json::{json, Map, Value};
use std::alloc::{alloc as a, dealloc as d, Layout};
use std::cell::RefCell;

const HEAD: usize = 8;

thread_local!(static SETTING: RefCell<Option<Value>> = const { RefCell::new(None) });

#[no_mangle]
pub extern "C" fn alloc(size: usize) -> *mut u8 {
    unsafe {
        let block = a(Layout::from_size_align_unchecked(size + HEAD, HEAD));
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

unsafe fn answer(address: *const u8, length: usize, f: fn(Value) -> Result<Value, Value>) -> *mut u8 {
    let input = serde_json::from_slice(std::slice::from_raw_parts(address, length)).unwrap();
    let text = match f(input) {
        Ok(value) => json!({"Ok": value}),
        Err(value) => json!({"Err": value}),
    }
    .to_string();
    let result = alloc(text.len());
    std::ptr::copy_nonoverlapping(text.as_ptr(), result, text.len());
    result
}

#[no_mangle]
pub unsafe extern "C" fn init(address: *const u8, length: usize) -> *mut u8 {
    answer(address, length, |input| {
        if input["schedule"]["data"]["refuse"] == true {
            return Err(json!({"kind": "Internal", "message": "no", "causes": ["it", "says so"]}));
        }
        SETTING.with(|s| *s.borrow_mut() = Some(input));
        Ok(Value::Null)
    })
}

fn setting() -> Result<Value, Value> {
    SETTING.with(|s| s.borrow().clone()).ok_or(json!({"kind": "Uninitialized", "message": "init first"}))
}

#[no_mangle]
pub unsafe extern "C" fn render_roles(address: *const u8, length: usize) -> *mut u8 {
    answer(address, length, |input| {
        let known = setting()?;
        let data = &known["schedule"]["data"];
        let mine = &data["nodes"][known["hostname"].as_str().unwrap_or("")]["roles"];
        let mut roles = Map::new();
        for (role, given) in mine.as_object().into_iter().flatten() {
            let mut variables = given.clone();
            // No more than two, whatever the scheduler says.
            variables["count"] = json!(given["count"].as_i64().unwrap_or(0).min(2));
            variables["host"] = known["hostname"].clone();
            variables["id"] = input["deployment_id"].clone();
            variables["first"] = json!(input["previous_schedule"].is_null());
            roles.insert(role.clone(), variables);
        }
        let all: Vec<_> = data["roles"].as_object().into_iter().flatten().map(|(role, _)| role).collect();
        Ok(json!({"to_render": roles, "all_roles": all}))
    })
}

#[no_mangle]
pub unsafe extern "C" fn query(address: *const u8, length: usize) -> *mut u8 {
    answer(address, length, |input| {
        let known = setting()?;
        match input["path"].as_str() {
            Some("echo") => Ok(json!([input["body"], known["schedule"]["hash"]])),
            Some("null") => Ok(Value::Null),
            Some("odd") => Err(json!([1])),
            Some("trap") => panic!(),
            _ => Err(json!({"kind": "NoSuchPath", "message": "what?", "causes": null})),
        }
    })
}
