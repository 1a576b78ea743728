package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int verwalter(String... words) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  private String storage() {
    return "--storage-dir=" + directory;
  }

  @Test
  void helpShowsTheFlagsThatHaveAnEffect() {
    assertThat(verwalter("join", "--help")).isZero();

    assertThat(out.toString())
        .contains("--token-file", "--address", "--storage-dir")
        .doesNotContain("--lua-engine", "--tls-cert");
  }

  @Test
  void mistakesAreNamed() throws Exception {
    var id = "--override-machine-id=" + "0".repeat(32);
    assertThat(verwalter("join", "127.0.0.9:1", storage(), id, "--lua-engine=vm", "--token=x"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("the join token is not valid", "vw token create");
    assertThat(verwalter("join", "a:b:c", storage(), id)).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("HOST: \"a:b:c\" is not HOST or HOST:PORT");
    var missing = directory.resolve("none");
    assertThat(verwalter("join", "127.0.0.9:1", storage(), id, "--token-file=" + missing))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("--token-file: ", missing.toString());
    assertThat(Files.exists(directory.resolve("cluster/member.json"))).isFalse();
  }

  @Test
  void theAgentJoinsBeforeItStarts() {
    var id = "--override-machine-id=" + "0".repeat(32);
    assertThat(verwalter("--join=127.0.0.9:1", storage(), id, "--token=x"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("the join token is not valid");
  }

  @Test
  void foundsAClusterOnce() {
    var words =
        new String[] {
          "join",
          storage(),
          "--hostname=n1",
          "--address=127.0.0.1",
          "--override-machine-id=" + "0".repeat(32)
        };
    assertThat(verwalter(words)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("This machine is node n1 of the new cluster");
    assertThat(verwalter(words)).isEqualTo(ExitCode.SETUP.code());
    assertThat(err.toString())
        .contains("cannot found a cluster: this machine is node n1 of cluster");
  }
}
