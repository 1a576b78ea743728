package verwalter.supervisor.lithos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Identity;

/** The text of a process file, which lists the processes of a sandbox. */
public final class ProcessFileText {
  /** Lithos ignores keys that begin with an underscore. */
  private static final String RESTART_COUNTER = "_restart-counter";

  /**
   * Parses the entries of a process file, by process name in the file's order.
   *
   * @param source name of the file in problems
   * @throws ConfigException with every problem of the text
   */
  public static Map<String, ProcessSpec> read(String text, String source) throws ConfigException {
    return Dialect.read(text, source, root -> root.map(ProcessFileText::entry));
  }

  private static ProcessSpec entry(Value value) {
    var struct = value.struct();
    var entry =
        ProcessSpec.ofImage(
            struct.get(
                "kind",
                ProcessSpec.Type.DAEMON,
                each ->
                    each.oneOf("Daemon", "Command").equals("Daemon")
                        ? ProcessSpec.Type.DAEMON
                        : ProcessSpec.Type.COMMAND),
            struct.required("image"),
            struct.required("config"),
            (int) struct.number("instances", 1, 0, 100_000),
            struct.map("variables", Value::text),
            struct.list("ip_addresses", ProcessFileText::address),
            struct.list("extra_secrets_namespaces", Value::text));
    var counter = struct.find(RESTART_COUNTER, each -> each.number(0, Long.MAX_VALUE));
    struct.end();
    return entry.withRestartCounter(counter);
  }

  private static String address(Value value) {
    var text = value.text();
    if (!Addresses.isAddress(text)) {
      value.problem("\"" + text + "\" is not an IP address");
    }
    return text;
  }

  /**
   * The text from which {@link #read} gives these entries. Equal entries have equal text, and
   * lithos reads it too.
   *
   * @throws IllegalArgumentException if a text contains a control character that the dialect cannot
   *     express
   */
  public static String write(Map<String, ProcessSpec> processes) {
    var text = new StringBuilder();
    new TreeMap<>(processes).forEach((name, entry) -> write(name, entry, text));
    return text.toString();
  }

  private static void write(String name, ProcessSpec entry, StringBuilder text) {
    text.append(quoted(name)).append(":\n");
    text.append("  kind: ").append(Identity.kind(entry)).append('\n');
    text.append("  image: ").append(quoted(entry.image().orElse(""))).append('\n');
    text.append("  config: ").append(quoted(entry.config().orElse(""))).append('\n');
    text.append("  instances: ").append(entry.instances()).append('\n');
    if (!entry.variables().isEmpty()) {
      text.append("  variables:\n");
      new TreeMap<>(entry.variables())
          .forEach(
              (key, value) ->
                  text.append("    ")
                      .append(quoted(key))
                      .append(": ")
                      .append(quoted(value))
                      .append('\n'));
    }
    list("ip-addresses", entry.ipAddresses(), text);
    list("extra-secrets-namespaces", entry.secretsNamespaces(), text);
    entry
        .restartCounter()
        .ifPresent(
            counter ->
                text.append("  ")
                    .append(RESTART_COUNTER)
                    .append(": ")
                    .append(counter)
                    .append('\n'));
  }

  private static void list(String key, List<String> items, StringBuilder text) {
    if (!items.isEmpty()) {
      text.append("  ").append(key).append(":\n");
      items.forEach(item -> text.append("    - ").append(quoted(item)).append('\n'));
    }
  }

  /** Why {@link #write} would refuse these entries; empty if it would not. */
  static List<String> unwritable(Map<String, ProcessSpec> processes) {
    var problems = new ArrayList<String>();
    processes.forEach(
        (name, entry) -> {
          try {
            write(name, entry, new StringBuilder());
          } catch (IllegalArgumentException unwritable) {
            problems.add(name + ": " + unwritable.getMessage());
          }
        });
    return problems;
  }

  private static String quoted(String value) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      switch (each) {
        case '\\' -> quoted.append("\\\\");
        case '"' -> quoted.append("\\\"");
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> quoted.append(printable(each));
      }
    }
    return quoted.append('"').toString();
  }

  /** YAML's printable characters; the dialect has no escapes for others. */
  private static char printable(char each) {
    boolean printable =
        (each >= 0x20 && each <= 0x7e)
            || (each >= 0xa0
                && each != '\u2028'
                && each != '\u2029'
                && each != '\ufeff'
                && each < 0xfffe);
    if (!printable) {
      throw new IllegalArgumentException(
          String.format("character U+%04X cannot be written into a process file", (int) each));
    }
    return each;
  }

  private ProcessFileText() {}
}
