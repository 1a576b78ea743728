package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the rehearsal as a process, with the processes of the example. */
class WarmupCommandTest {
  @TempDir private Path directory;

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + directory,
            "-Dverwalter.home=" + Path.of("..").toRealPath(),
            "-cp",
            System.getProperty("java.class.path"),
            "verwalter.agent.Main",
            "warmup")
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @AfterEach
  void killLeftOver() throws IOException {
    DemoPorts.processesBelow(directory).forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void aRequestToASilentAgentFails() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var address = URI.create("http://127.0.0.1:%d/".formatted(silent.getLocalPort()));
      assertThatThrownBy(() -> WarmupCluster.text(address, Duration.ofMillis(100)))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  @Timeout(120)
  void aSignalEndsTheProcessesOfTheExampleToo() throws Exception {
    var rehearsal = start();
    try {
      var answers = rehearsal.inputReader(StandardCharsets.UTF_8);
      assertThat(answers.readLine()).startsWith("http://");
      assertThat(DemoPorts.processesBelow(directory)).isNotEmpty();

      rehearsal.destroy();

      assertThat(rehearsal.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(DemoPorts.processesBelow(directory)).isEmpty();
    } finally {
      rehearsal.destroyForcibly();
    }
  }
}
