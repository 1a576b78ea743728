package verwalter.agent;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code verwalter warmup}: starts an agent with nothing to do, prints its address, and ends when
 * its input does. The launcher does so once after a build, to record which classes a start needs.
 */
@Command(name = "warmup", hidden = true)
final class WarmupCommand implements Callable<Integer> {
  @Override
  public Integer call() throws Exception {
    var root = Files.createTempDirectory("verwalter-warmup");
    try {
      Files.createDirectories(root.resolve("config/sandbox"));
      var settings = new Settings();
      settings.configDir = Optional.of(root.resolve("config"));
      settings.storageDir = Optional.of(root.resolve("storage"));
      settings.logDir = Optional.of(root.resolve("log"));
      settings.machineId = Optional.of("00");
      settings.port = 0;
      try (var daemon = Daemon.start(settings)) {
        var address = daemon.address();
        for (var path : new String[] {"healthz", "v1/status", "apis/verwalter.io/v1/nodes", ""}) {
          URI.create(address + path).toURL().openStream().close();
        }
        System.out.println(address.substring(0, address.length() - 1));
        System.in.readAllBytes();
      }
    } finally {
      remove(root);
    }
    return ExitCode.OK.code();
  }

  private static void remove(Path root) throws java.io.IOException {
    try (var tree = Files.walk(root)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
