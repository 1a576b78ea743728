package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;

/** Kills real processes that write to a real disk. */
class KillTest {
  @TempDir Path directory = Path.of("");
  private final VirtualWorld world = new VirtualWorld(1);

  private static Process victim(Path at) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path = System.getProperty("java.class.path");
    return new ProcessBuilder(
            java,
            "-XX:+UseSerialGC",
            "-Xmx200m",
            "-cp",
            path,
            Victim.class.getName(),
            at.toString())
        .redirectErrorStream(true)
        .start();
  }

  private LocalStore open(Path at) throws IOException {
    return LocalStore.open(at, Options.DEFAULT, Runnable::run, world.clock(), world.uids());
  }

  @Test
  void aKilledProcessLosesNoAcknowledgedWrite() throws Exception {
    var at = directory.resolve("state").resolve("store");
    var acknowledged = new HashMap<String, Long>();
    for (int round = 0; round < 3; round++) {
      kill(victim(at), 600 + 100 * round, acknowledged);
      var store = open(at);
      for (var each : acknowledged.entrySet()) {
        assertThat(store.get(Node.KIND, each.getKey()).orElseThrow().meta().version())
            .isEqualTo(each.getValue());
      }
      int inFlight = store.list(Node.KIND).size() - acknowledged.size();
      assertThat(inFlight).isBetween(0, 4 * (round + 1));
      store.close();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(at)))
        .isEqualTo("rwx------");
  }

  /** Kills a process after it has reported a number of writes, and collects the reported writes. */
  private static void kill(Process victim, int writes, Map<String, Long> acknowledged)
      throws IOException, InterruptedException {
    try (var out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
      int reported = 0;
      for (var line = out.readLine(); line != null; line = out.readLine()) {
        var words = line.split(" ", -1);
        if (words.length == 3 && words[0].equals("ack") && line.matches(".* \\d+")) {
          acknowledged.put(words[1], Long.parseLong(words[2]));
          reported++;
        } else {
          System.out.println(line);
        }
        if (reported == writes) {
          victim
              .toHandle()
              .destroyForcibly(); // unlike Process.destroyForcibly, this keeps the pipe open
        }
      }
    } finally {
      victim.destroyForcibly();
      assertThat(victim.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aDirectoryInUseIsRefusedWithItsName() throws Exception {
    var store = open(directory);
    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreInUse.class)
        .hasMessageContaining("this process");
    var other = victim(directory);
    var said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(said)
        .contains("in use: ")
        .contains("process " + ProcessHandle.current().pid())
        .contains(directory.toRealPath().toString());
    store.close();
    store.close();
    open(directory).close();
  }
}
