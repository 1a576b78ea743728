package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;

/**
 * The server refuses writes that operators may not make, and names the writer and the alternative.
 */
class ForbiddenTest {
  private final RealServer server = new RealServer();
  private final Shell shell = new Shell();

  ForbiddenTest() {
    shell.environment.put("VERWALTER_SERVER", server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static final String MANIFEST =
      """
      apiVersion: verwalter.io/v1
      kind: ProcessGroup
      metadata: {name: web@n1}
      spec: {role: web, node: n1, sandbox: %s, processes: {}}
      """;

  @Test
  void applyRefusesSpecOfController() {
    server.put(
        Resource.of(
            ProcessGroup.KIND, "web@n1", new ProcessGroup.Spec("web", "n1", "web", Map.of())));
    var typing = new Shell().reading(MANIFEST.formatted("other"));
    typing.environment.put("VERWALTER_SERVER", server.url());
    assertThat(typing.vw("apply", "-f", "-")).isEqualTo(Exit.ERROR.code());
    assertThat(typing.err())
        .isEqualTo(
            "<stdin>:1: Error from server (Forbidden): processgroups \"web@n1\" is forbidden: its spec is"
                + " written by the instance controller, not by operators; change the role in the"
                + " configuration directory, its templates, or what the scheduler decides\n");
    assertThat(server.list(ProcessGroup.KIND).get(0).spec().sandbox()).isEqualTo("web");
  }

  @Test
  void applyRefusesCreationOfControllersKind() {
    var typing = new Shell().reading(MANIFEST.formatted("web"));
    typing.environment.put("VERWALTER_SERVER", server.url());
    typing.environment.put("VERWALTER_TOKEN", server.adminToken());
    assertThat(typing.vw("apply", "-f", "-")).isEqualTo(Exit.ERROR.code());
    assertThat(typing.err()).contains("(Forbidden)", "by the instance controller");
    assertThat(server.list(ProcessGroup.KIND)).isEmpty();
  }

  @Test
  void processesAreNotEndedByADeletion() {
    server.put(
        Resource.of(
            ProcessGroup.KIND, "web@n1", new ProcessGroup.Spec("web", "n1", "web", Map.of())));
    assertThat(shell.vw("delete", "pg/web@n1", "--yes")).isEqualTo(Exit.ERROR.code());
    assertThat(shell.err()).contains("(Forbidden)", "by the instance controller");
    assertThat(server.list(ProcessGroup.KIND)).hasSize(1);
  }
}
