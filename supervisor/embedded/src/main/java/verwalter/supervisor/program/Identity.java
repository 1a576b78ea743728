package verwalter.supervisor.program;

import java.util.LinkedHashMap;
import verwalter.model.ProcessSpec;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;

/**
 * The text that identifies a running process: a process with another identity than the desired one
 * is replaced. Identities are stored in the notes on running processes, so the text of an equal
 * spec must be the same in every version. Probes are no part of it: they belong to the agent.
 */
public final class Identity {

  /** The identity of instance {@code index}, from 0, of this spec. */
  public static String of(ProcessSpec spec, int index) {
    return spec.command().isPresent() ? ofCommand(spec) : ofImage(spec, index);
  }

  /**
   * The format that lithos passes to its {@code lithos_knot}, so that both restart in the same
   * cases.
   */
  private static String ofImage(ProcessSpec spec, int index) {
    var members = new LinkedHashMap<String, Object>();
    members.put("instances", 1L);
    members.put("image", spec.image().orElse(""));
    members.put("config", spec.config().orElse(""));
    if (!spec.variables().isEmpty()) {
      members.put("variables", Json.sorted(spec.variables()));
    }
    if (!spec.secretsNamespaces().isEmpty()) {
      members.put("extra_secrets_namespaces", spec.secretsNamespaces());
    }
    if (index < spec.ipAddresses().size()) {
      members.put("ip_address", spec.ipAddresses().get(index));
    }
    members.put("kind", kind(spec));
    return CompactJson.of(members);
  }

  private static String ofCommand(ProcessSpec spec) {
    var members = new LinkedHashMap<String, Object>();
    members.put(
        "command",
        spec.command().map(ProcessSpec.Command::withoutProbes).map(Codec::partJson).orElse(""));
    members.put("kind", kind(spec));
    return CompactJson.of(members);
  }

  /** The name of the kind in process files. */
  public static String kind(ProcessSpec spec) {
    return spec.kind() == ProcessSpec.Type.DAEMON ? "Daemon" : "Command";
  }

  private Identity() {}
}
