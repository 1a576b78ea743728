package verwalter.scheduler.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.model.Schedule;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;

@Timeout(60)
final class WasmResponderTest {
  private static final Budget BUDGET = Budget.DEFAULT.withMemory(64 << 20);
  private static final Schedule.Spec SCHEDULE =
      Schedule.Spec.of(
          Map.of(
              "roles", Map.of("web", Map.of(), "db", Map.of()),
              "nodes", Map.of("alpha", Map.of("roles", Map.of("web", Map.of("count", 5L))))),
          List.of(),
          "77",
          Instant.ofEpochMilli(1));

  private final WasmResponder responder;

  WasmResponderTest() throws Failed {
    responder = load(SCHEDULE);
  }

  private static WasmResponder load(Schedule.Spec schedule) throws Failed {
    var code = Modules.code(Code.QUERY, "rust-query");
    return WasmResponder.load(code, BUDGET, Modules.THREADS, schedule, "alpha");
  }

  @AfterEach
  void close() {
    responder.close();
  }

  @Test
  void returnsRolesOfModule() throws Failed {
    var roles = responder.roles("d1", Optional.empty());
    assertThat(roles.all()).containsExactly("db", "web");
    assertThat(roles.toRender().get("web"))
        .isEqualTo(Map.of("count", 2L, "host", "alpha", "id", "d1", "first", true));
    assertThat(responder.roles("d2", Optional.of(SCHEDULE)).toRender().get("web"))
        .containsEntry("first", false);
  }

  @Test
  void answersQueriesWithAnyValue() throws Failed {
    assertThat(responder.query("echo", Map.of("a", 1L)))
        .isEqualTo(List.of(Map.of("a", 1L), SCHEDULE.hash()));
    assertThat(responder.query("echo", null)).isEqualTo(Arrays.asList(null, SCHEDULE.hash()));
    assertThat(responder.query("null", null)).isNull();
  }

  @Test
  void reportsRefusalWithKind() {
    assertThatThrownBy(() -> responder.query("what", null))
        .isInstanceOf(Failed.class)
        .hasMessage("query.wasm: query: NoSuchPath: what?");
    assertThatThrownBy(() -> responder.query("odd", null))
        .isInstanceOf(Failed.class)
        .hasMessage("query.wasm: query: [1]");
  }

  @Test
  void replacesTrappedInstanceByInitializedOne() throws Failed {
    assertThatThrownBy(() -> responder.query("trap", null))
        .isInstanceOf(Failed.class)
        .hasMessageContaining("function 'query': trap: ");
    assertThat(responder.query("echo", 1L)).isEqualTo(List.of(1L, SCHEDULE.hash()));
  }

  @Test
  void failsToLoadIfModuleRefusesSchedule() {
    var refused =
        Schedule.Spec.of(Map.of("refuse", true), List.of(), "77", Instant.ofEpochMilli(1));
    assertThatThrownBy(() -> load(refused).close())
        .isInstanceOf(Failed.class)
        .hasMessage("query.wasm: init: Internal: no (it; says so)");
  }

  @Test
  void refusesModuleWithoutQueryExports() {
    assertThatThrownBy(
            () ->
                WasmResponder.load(
                        Modules.code(Code.QUERY, "rust"), BUDGET, Modules.THREADS, SCHEDULE, "a")
                    .close())
        .isInstanceOf(Failed.class)
        .hasMessage("query.wasm: it does not export a function 'init'");
  }
}
