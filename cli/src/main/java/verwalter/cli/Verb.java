package verwalter.cli;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One thing {@code vw} can be asked to do. */
interface Verb {
  /** Adds its own options and arguments, and its help. */
  void describe(CommandSpec spec);

  /**
   * Does it.
   *
   * @throws Failure when it cannot be done
   */
  Exit run(ParseResult args, Session session) throws IOException;
}
