/**
 * Programs in WebAssembly: {@link verwalter.scheduler.wasm.WasmScheduler} decides, {@link
 * verwalter.scheduler.wasm.WasmResponder} answers queries. Both exchange JSON through the memory of
 * the module. A module is validated, instrumented with counters ({@link
 * verwalter.scheduler.wasm.Metering}), and compiled to Java byte code by Chicory, which only this
 * package uses.
 */
@NullMarked
package verwalter.scheduler.wasm;

import org.jspecify.annotations.NullMarked;
