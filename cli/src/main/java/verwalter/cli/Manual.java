package verwalter.cli;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import picocli.CommandLine.Model.CommandSpec;
import verwalter.client.json.PlainJson;
import verwalter.model.service.ServiceSchema;

/**
 * The verbs and exit codes of {@code vw} as data, from which the reference in {@code docs/} is
 * generated.
 */
public final class Manual {
  /** Every verb with its help, examples, options and arguments. */
  public static List<CommandSpec> verbs() {
    return Arrays.stream(Verbs.values()).map(verb -> verb.spec(verb.verb())).toList();
  }

  /** The meaning of each exit code. */
  public static SortedMap<Integer, String> exitCodes() {
    return Exit.meanings();
  }

  /** The JSON Schema of services in one file, as {@code vw schema service} prints it. */
  public static String serviceSchema() {
    return PlainJson.pretty(ServiceSchema.json()).stripTrailing() + "\n";
  }

  private Manual() {}
}
