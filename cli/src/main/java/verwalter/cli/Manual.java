package verwalter.cli;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import picocli.CommandLine.Model.CommandSpec;

/** What {@code vw} can do, as data: the reference in {@code docs/} is made from it. */
public final class Manual {
  /** Every verb with its help, examples, options and arguments. */
  public static List<CommandSpec> verbs() {
    return Arrays.stream(Verbs.values()).map(verb -> verb.spec(verb.verb())).toList();
  }

  /** What each exit code means. */
  public static SortedMap<Integer, String> exitCodes() {
    return Exit.meanings();
  }

  private Manual() {}
}
