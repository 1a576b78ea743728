/**
 * Programs in WebAssembly: {@link verwalter.scheduler.wasm.WasmScheduler} decides, {@link
 * verwalter.scheduler.wasm.WasmResponder} answers queries. Both talk JSON through the memory of the
 * module. A module is checked, given code that counts what it uses ({@link
 * verwalter.scheduler.wasm.Metering}), and then compiled to Java byte code by Chicory, which
 * nothing outside this package sees.
 */
@NullMarked
package verwalter.scheduler.wasm;

import org.jspecify.annotations.NullMarked;
