package verwalter.cli;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One command of {@code vw}. */
interface Verb {
  /** Adds the options and arguments of this command, and its help. */
  void describe(CommandSpec spec);

  /**
   * Runs the command.
   *
   * @throws Failure when the command fails
   */
  VerbResult run(ParseResult args, Session session) throws IOException;
}
