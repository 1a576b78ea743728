package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.controllers.process.ProbeResult;
import verwalter.controllers.process.ProbeResult.Outcome;
import verwalter.controllers.process.Prober;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.embedded.ProbeLaunch;

/** Probes by HTTP, TCP and commands, with real servers and real programs. */
class ProbersTest {
  private final Vertx vertx = Vertx.vertx();
  private final Prober network = new NetworkProber(vertx);
  private final Prober commands =
      new CommandProber(
          new VertxLoop(vertx, InstantSource.system()), ProbersTest::launcher, "/usr/bin:/bin");

  @TempDir private Path directory;

  private static ProbeLaunch launcher(String slot, ProcessSpec.Command command) {
    var words =
        command
            .user()
            .map(user -> List.of("setpriv", "--reuid=" + user, "--clear-groups", "--"))
            .orElse(List.of());
    return new ProbeLaunch(words, Map.of("SLOT", slot));
  }

  @AfterEach
  void close() throws Exception {
    done(vertx.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static ProcessSpec.Probe probe(
      Optional<String> http, Optional<String> tcp, List<String> exec) {
    return new ProcessSpec.Probe(
        ProcessSpec.Purpose.READINESS, http, tcp, exec, 1, 1, 1, 1, 200, 399);
  }

  private ProbeResult http(String url) throws Exception {
    return done(
        network.probe(
            probe(Optional.of(url), Optional.empty(), List.of()),
            "shop/web.0",
            ProcessSpec.Command.of(List.of("x"), Map.of())));
  }

  private ProbeResult tcp(String address) throws Exception {
    return done(
        network.probe(
            probe(Optional.empty(), Optional.of(address), List.of()),
            "shop/web.0",
            ProcessSpec.Command.of(List.of("x"), Map.of())));
  }

  private Future<ProbeResult> exec(Optional<Long> user, String... words) {
    return commands.probe(
        probe(Optional.empty(), Optional.empty(), List.of(words)),
        "shop/web.0",
        new ProcessSpec.Command(
            List.of("x"),
            user,
            List.of(),
            Optional.of(directory.toString()),
            Map.of("ANSWER", "42"),
            Map.of(),
            ProcessSpec.Limits.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void theStatusOfAnAnswerDecides() throws Exception {
    var server =
        done(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .response()
                            .setStatusCode(Integer.parseInt(request.path().substring(1)))
                            .putHeader("Location", "/500")
                            .end())
                .listen(0, "127.0.0.1"));
    var site = "http://127.0.0.1:" + server.actualPort();
    assertThat(http(site + "/200")).isEqualTo(ProbeResult.SUCCESS);
    assertThat(http(site + "/302")).isEqualTo(ProbeResult.SUCCESS);
    assertThat(http(site + "/503"))
        .isEqualTo(ProbeResult.failure("HTTP 503 from " + site + "/503"));
    int port = server.actualPort();
    done(server.close());
    assertThat(http("http://127.0.0.1:" + port + "/200"))
        .isEqualTo(ProbeResult.failure("http://127.0.0.1:" + port + "/200: Connection refused"));
  }

  @Test
  void aServerThatHangsDoesNotAnswerInTime() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var url = "http://127.0.0.1:%d/".formatted(silent.getLocalPort());
      assertThat(http(url)).isEqualTo(ProbeResult.failure("no answer from " + url + " in 1 s"));
    }
  }

  @Test
  void aPortAcceptsConnectionsOrNot() throws Exception {
    var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    var address = "127.0.0.1:" + server.getLocalPort();
    assertThat(tcp(address)).isEqualTo(ProbeResult.SUCCESS);
    server.close();
    assertThat(tcp(address)).isEqualTo(ProbeResult.failure(address + ": Connection refused"));
  }

  @Test
  void theExitCodeOfACommandDecides() throws Exception {
    assertThat(done(exec(Optional.empty(), "sh", "-c", "test $ANSWER = 42")))
        .isEqualTo(ProbeResult.SUCCESS);
    assertThat(done(exec(Optional.empty(), "sh", "-c", "exit 3")))
        .isEqualTo(ProbeResult.failure("sh -c exit 3 exited with code 3"));
    assertThat(done(exec(Optional.empty(), "no-such-program")).outcome())
        .isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void aRelativeCommandIsInTheDirectoryOfTheProcess() throws Exception {
    var check = directory.resolve("check");
    Files.writeString(check, "#!/bin/sh\ntest -f check\n");
    Files.setPosixFilePermissions(check, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(done(exec(Optional.empty(), "./check"))).isEqualTo(ProbeResult.SUCCESS);
  }

  @Test
  void aCommandThatHangsIsKilledWithItsChildren() throws Exception {
    assertThat(
            done(exec(Optional.empty(), "sh", "-c", "sleep 1000 & echo $! > pid; wait")).reason())
        .endsWith("did not end in 1 s");
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).trim());
    var child = ProcessHandle.of(pid);
    if (child.isPresent()) {
      child.get().onExit().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aCommandRunsAsTheUserOfTheProcess() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    if (root) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    var user = root ? Optional.of(65534L) : Optional.<Long>empty();
    var uid = root ? "65534" : Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    assertThat(done(exec(user, "sh", "-c", "test $(id -u) = " + uid)))
        .isEqualTo(ProbeResult.SUCCESS);
  }

  @Test
  void moreCommandsThanAllowedAreNotRun() throws Exception {
    var attempts = new ArrayList<Future<ProbeResult>>();
    for (int i = 0; i < 9; i++) {
      attempts.add(exec(Optional.empty(), "sleep", "0.5"));
    }
    var outcomes = new ArrayList<Outcome>();
    for (var attempt : attempts) {
      outcomes.add(done(attempt).outcome());
    }
    assertThat(outcomes.get(8)).isEqualTo(Outcome.UNKNOWN);
    assertThat(outcomes.subList(0, 8)).containsOnly(Outcome.SUCCESS);
  }
}
