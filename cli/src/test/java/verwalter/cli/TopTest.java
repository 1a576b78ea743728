package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TopTest {
  private static final RealServer SERVER = new RealServer();

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private static Shell shell() {
    var shell = new Shell();
    shell.environment.put("VERWALTER_SERVER", SERVER.url());
    return shell;
  }

  @Test
  void listsBusiestProcessFirst() {
    var shell = shell();

    assertThat(shell.vw("top", "processes")).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            NAME      NODE   PID   CPU%    MEMORY   RESTARTS
            web/b.0   n1     12    99.9%   2.0Mi    0
            web/a.0   n1     11    -       1.5Mi    3
            """);
  }

  @Test
  void listsResourcesOfNodes() {
    var shell = shell();

    assertThat(shell.vw("top", "nodes")).as(shell.err()).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            NAME   CPU%    CPUS   LOAD   MEMORY   MEMORY%   DISK%
            n1     12.5%   2      0.50   3.0Mi    75%       -
            """);
  }

  @Test
  void refusesOtherTypes() {
    assertThat(shell().vw("top", "pods")).isEqualTo(2);
    assertThat(shell().vw("top")).isEqualTo(2);
  }
}
