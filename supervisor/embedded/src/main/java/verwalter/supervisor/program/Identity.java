package verwalter.supervisor.program;

import java.util.LinkedHashMap;
import verwalter.model.ProcessSpec;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;

/**
 * The text that decides whether a running process is the one that is wanted: a process with another
 * identity is replaced. Identities are written into the notes on running processes, so the text of
 * an equal spec must stay the same in every version.
 */
public final class Identity {

  /** Of instance {@code index}, from 0, of this spec. */
  public static String of(ProcessSpec spec, int index) {
    return spec.command().isPresent() ? ofCommand(spec) : ofImage(spec, index);
  }

  /** As lithos passes it to its {@code lithos_knot}, so that both restart in the same cases. */
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
    return JsonText.of(members);
  }

  private static String ofCommand(ProcessSpec spec) {
    var members = new LinkedHashMap<String, Object>();
    members.put("command", spec.command().map(Codec::partJson).orElse(""));
    members.put("kind", kind(spec));
    return JsonText.of(members);
  }

  /** What process files call the kind. */
  public static String kind(ProcessSpec spec) {
    return spec.kind() == ProcessSpec.Type.DAEMON ? "Daemon" : "Command";
  }

  private Identity() {}
}
