package verwalter.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A question before a change that cannot be undone. */
final class Confirmation {
  /**
   * Asks on the terminal, and fails unless the answer is yes.
   *
   * @param gerund the change as a gerund, such as {@code deleting}
   * @param question ends with a question mark
   * @param refused the message if the answer is no
   */
  static void ask(String gerund, String question, String refused, Session session)
      throws IOException {
    var environment = session.environment();
    if (!environment.terminals().in()) {
      throw Failure.usage(
          gerund + " needs a confirmation, and standard input is not a terminal", "add --yes");
    }
    environment.err().print(question + " [y/N] ");
    environment.err().flush();
    var answer = line(session).strip();
    if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
      throw Failure.error(refused, "");
    }
  }

  private static String line(Session session) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = session.environment().in().read();
        next >= 0 && next != '\n';
        next = session.environment().in().read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private Confirmation() {}
}
