package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.model.JoinTokenText;

/** The flags with which a machine joins a cluster. */
final class JoinFlags {
  @Option(
      names = "--token",
      paramLabel = "T",
      description = "The join token, which vw token create prints. Others on this machine see it.")
  Optional<String> token = Optional.empty();

  @Option(names = "--token-file", paramLabel = "FILE", description = "A file with the join token.")
  Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--address",
      paramLabel = "HOST[:PORT]",
      description = "The address at which other nodes of the cluster reach this machine.")
  Optional<String> address = Optional.empty();

  /** The machine as it wants to be known in the cluster. */
  Enrollment.Machine machine(Settings settings) throws SetupFailed {
    if (address.isEmpty()) {
      throw new SetupFailed(
          ExitCode.USAGE,
          "give the address at which other nodes reach this machine: --address HOST");
    }
    return new Enrollment.Machine(
        settings.hostname.orElseGet(MachineFacts::hostname),
        MachineFacts.machineId(settings.machineId),
        List.of(address("--address", address.get()).toString()));
  }

  /** Reads an address that the user gave. */
  static Address address(String flag, String text) throws SetupFailed {
    try {
      return Address.of(text);
    } catch (IllegalArgumentException mistake) {
      throw new SetupFailed(ExitCode.USAGE, flag + ": " + mistake.getMessage());
    }
  }

  /** The token. */
  JoinTokenText token() throws SetupFailed {
    try {
      var text = tokenFile.isPresent() ? Files.readString(tokenFile.get()) : token.orElse("");
      return JoinTokenText.parse(text.strip());
    } catch (IOException unreadable) {
      throw new SetupFailed(ExitCode.USAGE, "--token-file: " + unreadable);
    } catch (IllegalArgumentException mistake) {
      throw new SetupFailed(
          ExitCode.USAGE,
          "the join token is not valid (%s); make one on a member: vw token create"
              .formatted(mistake.getMessage()));
    }
  }
}
