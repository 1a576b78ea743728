package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.files.FileAccess;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.lithos.Layout;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.Terms;

/** Launches of the supervisor beside its audit. */
class ProcessOperationsTest {
  private static final String RUN = "shop:web.0:m-1";

  @TempDir private Path base;

  /** Starts nothing. */
  private static final ProcessShim SHIM =
      new ProcessShim(
          Path.of("/bin/sh"), Path.of("/bin/true"), Path.of("/keeper.sh"), "0022", List.of());

  private final Instant now = Instant.now();
  private final List<Runnable> whileRotated = new ArrayList<>();

  private ProcessOperations operations(RunDirectory runs, Cgroups cgroups) throws IOException {
    var limits =
        new LogRotation.Limits(
            FileAccess.PRIVATE,
            FileHead.NONE,
            1_000,
            1,
            step -> whileRotated.forEach(Runnable::run));
    return new ProcessOperations(
        new ProcessExaminer(Machine.host(Layout.in(base), Settings.standard())),
        runs,
        SHIM,
        new LogFiles(limits),
        "boot",
        cgroups,
        new Credentials(base.resolve("secrets"), 1));
  }

  @Test
  void theAuditLeavesTheCgroupsOfALaunchThatWaitsForARotation() throws Exception {
    var log = Files.writeString(base.resolve("web.log"), "line\n".repeat(1_000));
    var hierarchy = new CgroupHierarchy(base.resolve("cgroup"), Set.of(), false);
    Files.createDirectory(hierarchy.own());
    var runs = new RunDirectory(Files.createDirectory(base.resolve("run")));
    var cgroups = new Cgroups(List.of(hierarchy), runs.scope());
    var operations = operations(runs, cgroups);
    whileRotated.add(() -> operations.detached(Map.of(), now.plusSeconds(30)));
    var entry =
        ProcessSpec.ofCommand(
            ProcessSpec.Type.DAEMON, 1, ProcessSpec.Command.of(List.of("x"), Map.of()));
    var order =
        new ProcessOperations.Order(
            SlotName.parse("shop/web.0"), RUN, entry, "identity", History.NONE, Optional.empty());
    var program =
        new Program(
            "shop/web.0",
            "x",
            Path.of("/bin/true"),
            List.of(),
            base,
            new TreeMap<>(),
            new TreeSet<>(),
            log,
            1024,
            new Terms(1, 5, List.of(), false));
    var examined = new Examined(List.of(), List.of(), List.of(program));

    var outcomes = operations.launch(List.of(order), Map.of("shop", Map.of("web", examined)), now);

    assertThat(log.resolveSibling("web.log.1")).exists();
    assertThat(outcomes.get(order)).isInstanceOf(ProcessOperations.Outcome.Launched.class);
    assertThat(cgroups.runs()).containsExactly(RUN);
  }
}
