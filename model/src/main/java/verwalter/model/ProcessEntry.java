package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/**
 * One entry of a lithos process file: which image, which of the configurations inside it, how many
 * times and with which variables. Never a command line, a user or a limit (lithos.md 5, 14).
 *
 * @param kind whether the supervisor starts it
 * @param image below the sandbox's image directory
 * @param config absolute path, inside the image, of the container configuration
 * @param instances how many processes; 0 runs nothing but is still checked
 * @param variables sorted by name, so that equal entries have equal identities
 * @param ipAddresses of the instances, in order; empty for none
 * @param secretsNamespaces allowed besides the sandbox's own
 */
public record ProcessEntry(
    Type kind,
    String image,
    String config,
    int instances,
    Map<String, String> variables,
    List<String> ipAddresses,
    List<String> secretsNamespaces) {

  /** Whether the supervisor starts it, or only people do. */
  public enum Type {
    /** The supervisor keeps it running. */
    @JsonProperty("Daemon")
    DAEMON,
    /** Only people start it. */
    @JsonProperty("Command")
    COMMAND
  }

  public ProcessEntry {
    variables = Json.sorted(variables);
    ipAddresses = List.copyOf(ipAddresses);
    secretsNamespaces = List.copyOf(secretsNamespaces);
  }

  /** How many processes the supervisor should keep running for this entry. */
  public int daemons() {
    return kind == Type.DAEMON ? instances : 0;
  }
}
