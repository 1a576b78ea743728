package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.problems.ObjectProblem;
import verwalter.problems.Severity;

class ProblemLogTest {
  private final List<String> lines = new ArrayList<>();
  private final VirtualWorld world = new VirtualWorld(1);
  private final ProblemLog log =
      new ProblemLog(world.loop("http"), line -> lines.add("WARN " + line), lines::add);

  @Test
  void logsBeginAndEnd() {
    log.accept(List.of(problem("a", "line 1\n  line 2\033[1m")));
    log.accept(List.of(problem("a", "another cause"), problem("b", "x")));
    log.accept(List.of());
    assertThat(lines)
        .containsExactly(
            "WARN problem=error Node/a is not ready: line 1; line 2?[1m; see: vw describe node/a",
            "WARN problem=error Node/b is not ready: x; see: vw describe node/b",
            "problem=resolved Node/a is not ready",
            "problem=resolved Node/b is not ready");
  }

  @Test
  void problemThatComesAndGoesIsLoggedOnceInTenMinutes() {
    for (int i = 0; i < 601; i++) {
      log.accept(List.of(problem("a", "x")));
      log.accept(List.of());
      world.runFor(Duration.ofSeconds(1));
    }
    assertThat(lines)
        .filteredOn(line -> line.startsWith("WARN"))
        .as("at 0 s and at 600 s")
        .hasSize(2);
    assertThat(lines).hasSize(4);
  }

  @Test
  void problemThatReturnsAndLastsIsLoggedAgain() {
    log.accept(List.of(problem("a", "first")));
    log.accept(List.of());
    log.accept(List.of(problem("a", "second")));
    world.runFor(Duration.ofMinutes(9));
    assertThat(lines).hasSize(2);
    world.runFor(Duration.ofMinutes(2));
    assertThat(lines).hasSize(3).last().asString().startsWith("WARN").contains("second");
    world.runFor(Duration.ofMinutes(30));
    log.accept(List.of());
    assertThat(lines).hasSize(4).last().isEqualTo("problem=resolved Node/a is not ready");
  }

  private static ObjectProblem problem(String node, String why) {
    return new ObjectProblem(
        Severity.ERROR,
        Node.KIND.key(node),
        Optional.empty(),
        Optional.of(node),
        "is not ready",
        Optional.empty(),
        why,
        "vw describe node/" + node);
  }
}
