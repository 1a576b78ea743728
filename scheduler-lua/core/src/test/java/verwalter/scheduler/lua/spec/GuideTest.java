package verwalter.scheduler.lua.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.Program;
import verwalter.scheduler.lua.vm.VmEngine;

/** The examples in docs/guide/scheduler-library.md. */
class GuideTest {
  private static final Path PAGE = Path.of("../../docs/guide/scheduler-library.md");
  private static final Pattern BLOCK = Pattern.compile("```lua\n(.*?)```", Pattern.DOTALL);

  private static List<String> blocks() throws IOException {
    return BLOCK.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
  }

  static Stream<String> schedulers() throws IOException {
    return blocks().stream().filter(block -> !block.contains("describe("));
  }

  /** The version of the page, on two nodes in two racks. */
  private static Map<String, Object> input() {
    Map<String, Object> worker =
        Map.of("image", "web-v1", "config", "/config/worker.yaml", "instances", 3L);
    Map<String, Object> front =
        Map.of(
            "image",
            "web-v1",
            "config",
            "/config/front.yaml",
            "variables",
            Map.of("port", Map.of("type", "TcpPort")));
    Map<String, Object> migrate =
        Map.of(
            "image",
            "web-v1",
            "config",
            "/config/migrate.yaml",
            "update",
            Map.of("mode", "run-with-ack"));
    Map<String, Object> version =
        Map.of(
            "timestamp",
            1767225600L,
            "ports",
            List.of("9000-9100"),
            "daemons",
            Map.of("worker", worker, "front", front, "migrate", migrate));
    return Map.of(
        "now",
        1_800_000_000_000L,
        "current_host",
        "alpha",
        "parents",
        List.of(),
        "actions",
        Map.of(),
        "runtime",
        Map.of("web", Map.of("v1", version)),
        "nodes",
        Map.of("alpha", node("1"), "beta", node("1"), "gamma", node("2")));
  }

  private static Map<String, Object> node(String rack) {
    return Map.of("labels", Map.of("rack", rack), "capacity", Map.of("cpus", 4L), "ready", true);
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void everySchedulerOfGuideRuns(String text) throws Exception {
    var code = new Code("guide", Map.of("main.lua", text), Map.of());
    try (var scheduler = LuaScheduler.load(code, Budget.DEFAULT, new VmEngine(), Program.THREADS)) {
      var decision = scheduler.decide(input());
      assertThat(decision.data()).containsKeys("nodes", "roles", "state");
      boolean byHand = text.contains("verwalter/groups");
      assertThat(decision.data().get("nodes").toString().contains("instances"))
          .isNotEqualTo(byHand);
    }
  }

  @Test
  void specOfGuidePasses() throws Exception {
    var spec = blocks().stream().filter(block -> block.contains("describe(")).findFirst();
    var code =
        new Code(
            "guide",
            Map.of("main.lua", blocks().get(0), "spec/main_spec.lua", spec.orElseThrow()),
            Map.of());
    try (var file = SpecFile.read(code, "spec/main_spec.lua", Budget.DEFAULT, Program.THREADS)) {
      assertThat(file.specs()).hasSize(1);
      assertThat(file.run(file.specs().get(0)).failure()).isEmpty();
    }
  }
}
