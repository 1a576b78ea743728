package verwalter.cli;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.client.transport.Endpoint;

/** Finds the unix socket of the agent on this machine. */
final class LocalSockets {
  private static final String NAME = "verwalter/verwalter.sock";

  /** The socket of the user's own agent, else that of the machine's; empty if none can be used. */
  static Optional<Endpoint> find(Environment environment) {
    for (var file : files(environment)) {
      if (accepts(file)) {
        return Optional.of(Endpoint.of("unix:" + file));
      }
    }
    return Optional.empty();
  }

  private static List<Path> files(Environment environment) {
    var files = new ArrayList<Path>();
    var state = environment.variable("XDG_STATE_HOME");
    var home = environment.variable("HOME");
    if (!state.isEmpty()) {
      files.add(Path.of(state, NAME));
    } else if (!home.isEmpty()) {
      files.add(Path.of(home, ".local/state", NAME));
    }
    files.add(Path.of("/var/lib", NAME));
    return files;
  }

  private static boolean accepts(Path file) {
    if (!Files.exists(file)) {
      return false;
    }
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(file));
    } catch (IOException | RuntimeException refused) {
      return false;
    }
  }

  private LocalSockets() {}
}
