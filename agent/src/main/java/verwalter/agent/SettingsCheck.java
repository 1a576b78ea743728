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
  private static final long MOST_LOG_MEGABYTES = 1024;
  private static final long MOST_LOGS = 100;
  private static final long MOST_LOG_DAYS = 3660;
  private static final String FRONTEND = "common";
  private static final long MOST_MEGABYTES = 1L << 32;
  private static final int MOST_DOWNLOADS = 64;
  private static final long MOST_KILOBYTES = 1L << 30;

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
    if (settings.tlsCert.isPresent() != settings.tlsKey.isPresent()) {
      throw new SetupFailed(ExitCode.USAGE, "--tls-cert and --tls-key must be given together");
    }
    if (settings.tlsClientCa.isPresent() && settings.tls().isEmpty()) {
      throw new SetupFailed(ExitCode.USAGE, "--tls-client-ca needs --tls-cert and --tls-key");
    }
    if (settings.reservableMegabytes.filter(it -> it < 0 || it > MOST_MEGABYTES).isPresent()) {
      throw new SetupFailed(
          ExitCode.USAGE, "--reservable-megabytes takes a number from 0 to " + MOST_MEGABYTES);
    }
    if (settings.downloads < 1 || settings.downloads > MOST_DOWNLOADS) {
      throw new SetupFailed(
          ExitCode.USAGE, "--downloads takes a number from 1 to " + MOST_DOWNLOADS);
    }
    if (settings.downloadKilobytes.filter(it -> it < 1 || it > MOST_KILOBYTES).isPresent()) {
      throw new SetupFailed(
          ExitCode.USAGE, "--download-kilobytes takes a number from 1 to " + MOST_KILOBYTES);
    }
    range("--process-log-megabytes", settings.processLogMegabytes, 1, MOST_LOG_MEGABYTES);
    range("--process-logs-kept", settings.processLogsKept, 0, MOST_LOGS);
    range("--process-log-days", settings.processLogDays, 1, MOST_LOG_DAYS);
    if (!settings.insecure && settings.tls().isEmpty() && !isLocal(settings.host)) {
      throw new SetupFailed(
          ExitCode.USAGE,
          ("--host=%s can be reached from other machines, and there is no TLS: everybody who can"
                  + " connect could change what runs here; give --tls-cert and --tls-key, leave"
                  + " the flag out and use an SSH tunnel, or accept this with --insecure")
              .formatted(settings.host));
    }
  }

  private static void range(String flag, long value, long least, long most) throws SetupFailed {
    if (value < least || value > most) {
      throw new SetupFailed(
          ExitCode.USAGE, "%s takes a number from %d to %d".formatted(flag, least, most));
    }
  }

  /** What the agent says at its start about flags and directories without effect. */
  static List<String> warnings(Settings settings, Path config) {
    var warnings = new ArrayList<String>();
    if (!isLocal(settings.host) && settings.tls().isEmpty()) {
      warnings.add(
          settings.anonymous == Settings.Anonymous.operator
              ? "--insecure: everybody who can connect to %s can change what runs here"
                  .formatted(settings.host)
              : "--insecure: requests to %s are sent without encryption".formatted(settings.host));
    }
    if (settings.forceLeader) {
      warnings.add(
          "--debug-force-leader has an effect in a cluster only: a single node always leads");
    }
    if (settings.allowMinority) {
      warnings.add(
          "--allow-minority-cluster has an effect in a cluster only: a single node always leads");
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
