package verwalter.cli;

import java.time.temporal.ChronoUnit;
import verwalter.cli.print.TextTable;

/**
 * Prints lines of logs, each after the instance that wrote it.
 *
 * @param times whether the time comes first
 */
record LogPrinter(Session session, boolean times) {

  void print(LoggedLine line) {
    var name = line.process() + "@" + line.node();
    session.println(
        (times ? line.time().truncatedTo(ChronoUnit.MILLIS) + " " : "")
            + session.paint().of(name, name + " |")
            + " "
            + TextTable.clean(line.text()));
  }

  /** Says that a node cannot be asked. */
  void lost(String node, String why) {
    session.environment().err().println("error: node " + node + " cannot be asked: " + why);
  }
}
