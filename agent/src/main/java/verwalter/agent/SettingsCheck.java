package verwalter.agent;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks flags that the agent must not, or cannot, follow. */
final class SettingsCheck {
  private static final String FRONTEND = "common";

  /**
   * Checks flags before anything is started.
   *
   * @throws SetupFailed with the exit code for usage, if the server would be open to other machines
   *     without {@code --insecure}, or a flag asks for a part that does not exist
   */
  static void check(Settings settings) throws SetupFailed {
    if (!settings.defaultFrontend.equals(FRONTEND)) {
      throw new SetupFailed(
          ExitCode.USAGE,
          "--default-frontend=%s: frontends of verwalter 0.13 are not supported; leave the flag out"
                  .formatted(settings.defaultFrontend)
              + " to get the page of Verwalter at /");
    }
    if (!settings.insecure && !isLocal(settings.host)) {
      throw new SetupFailed(
          ExitCode.USAGE,
          ("--host=%s can be reached from other machines, and there is no login: everybody who can"
                  + " connect could change what runs here; leave the flag out and use an SSH"
                  + " tunnel or a proxy that authenticates users, or accept this with --insecure")
              .formatted(settings.host));
    }
  }

  /** What the agent says at its start about flags and directories without effect. */
  static List<String> warnings(Settings settings, Path config) {
    var warnings = new ArrayList<String>();
    if (!isLocal(settings.host)) {
      warnings.add(
          "--insecure: everybody who can connect to %s can change what runs here"
              .formatted(settings.host));
    }
    if (settings.forceLeader) {
      warnings.add("--debug-force-leader has no effect: a single node always leads");
    }
    if (settings.allowMinority) {
      warnings.add(
          "--allow-minority-cluster has no effect: there are no clusters of several nodes");
    }
    var frontends = config.resolve("frontend");
    if (Files.isDirectory(frontends)) {
      warnings.add(
          "%s is not served: frontends of verwalter 0.13 are not supported".formatted(frontends));
    }
    return warnings;
  }

  /** Whether all addresses of a name are loopback. The server reports a name that is unknown. */
  private static boolean isLocal(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException reportedLater) {
      return true;
    }
  }

  private SettingsCheck() {}
}
