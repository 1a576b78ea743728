package verwalter.supervisor.lithos;

import java.util.LinkedHashMap;
import verwalter.model.ProcessEntry;
import verwalter.model.json.Json;

/** The text that decides whether a running process is the one wanted (lithos.md 5.1). */
public final class Identity {

  /** Of instance {@code index}, from 0, of this entry. */
  public static String of(ProcessEntry entry, int index) {
    var members = new LinkedHashMap<String, Object>();
    members.put("instances", 1L);
    members.put("image", entry.image());
    members.put("config", entry.config());
    if (!entry.variables().isEmpty()) {
      members.put("variables", Json.sorted(entry.variables()));
    }
    if (!entry.secretsNamespaces().isEmpty()) {
      members.put("extra_secrets_namespaces", entry.secretsNamespaces());
    }
    if (index < entry.ipAddresses().size()) {
      members.put("ip_address", entry.ipAddresses().get(index));
    }
    members.put("kind", kind(entry));
    return JsonText.of(members);
  }

  static String kind(ProcessEntry entry) {
    return entry.kind() == ProcessEntry.Type.DAEMON ? "Daemon" : "Command";
  }

  private Identity() {}
}
