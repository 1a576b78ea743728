package verwalter.agent;

import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/**
 * {@code verwalter warmup}: starts an agent with the example, prints its address once everything
 * runs, and ends when its input does. The launcher does so once after a build, to record which
 * classes a start needs.
 */
@Command(name = "warmup", hidden = true)
final class WarmupCommand implements Callable<Integer> {
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

  @Override
  @SuppressWarnings("try") // the ports are only held
  public Integer call() throws Exception {
    var root = Files.createTempDirectory("verwalter-warmup");
    var converged = new CountDownLatch(1);
    try {
      Example.copyTo(root.resolve("config"));
      var settings = new Settings();
      settings.configDir = Optional.of(root.resolve("config"));
      settings.storageDir = Optional.of(root.resolve("storage"));
      settings.logDir = Optional.of(root.resolve("log"));
      settings.machineId = Optional.of("00");
      settings.port = 0;
      settings.onExit = Settings.OnExit.stop;
      try (var ports = DemoPorts.claim(root.resolve("config"));
          var daemon = Daemon.start(settings, () -> {})) {
        var address = daemon.address();
        var discarded = new PrintWriter(Writer.nullWriter());
        daemon.watch(new Progress(daemon.store(), discarded, address, converged::countDown));
        // Whether it converges or not, for want of a port say: this is only a rehearsal.
        converged.await(WAIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        for (var path : new String[] {"healthz", "v1/status", "apis/verwalter.io/v1/nodes", ""}) {
          URI.create(address + path).toURL().openStream().close();
        }
        System.out.println(address.substring(0, address.length() - 1));
        System.in.readAllBytes();
      }
    } finally {
      Example.removeTree(root);
    }
    return ExitCode.OK.code();
  }
}
