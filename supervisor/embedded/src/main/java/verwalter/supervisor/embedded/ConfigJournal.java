package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.files.FileAccess;
import verwalter.model.ProcessSpec;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;

/** Records when each version of a process file took effect, one line per change. */
final class ConfigJournal {
  private final Optional<Path> directory;
  private final LogFiles files = new LogFiles(FileAccess.PRIVATE, FileHead.NONE, 10 << 20, 100);

  ConfigJournal(Optional<Path> directory) {
    this.directory = directory;
  }

  void add(String group, Map<String, ProcessSpec> entries, Instant now) {
    if (directory.isPresent()) {
      var file = directory.get().resolve(group + ".log");
      files.rotate(Set.of(file), now);
      var line = now.truncatedTo(ChronoUnit.SECONDS) + " " + Json.canonical(plain(entries)) + "\n";
      files.mention(file, line);
    }
  }

  private static Map<String, Object> plain(Map<String, ProcessSpec> entries) {
    var all = new LinkedHashMap<String, Object>();
    entries.forEach(
        (name, entry) -> {
          var its = new LinkedHashMap<String, Object>();
          its.put("kind", entry.kind() == ProcessSpec.Type.DAEMON ? "Daemon" : "Command");
          entry.command().ifPresent(command -> its.put("command", Codec.partJson(command)));
          entry.cron().ifPresent(cron -> its.put("cron", Codec.partJson(cron)));
          entry.image().ifPresent(image -> its.put("image", image));
          entry.config().ifPresent(config -> its.put("config", config));
          its.put("instances", (long) entry.instances());
          its.put("variables", entry.variables());
          its.put("ip_addresses", entry.ipAddresses());
          its.put("extra_secrets_namespaces", entry.secretsNamespaces());
          all.put(name, its);
        });
    return all;
  }
}
