package verwalter.controllers.template;

import java.io.IOException;
import java.nio.file.Path;

/** Lets the users of processes reach the files that the agent makes for them. May block. */
@FunctionalInterface
public interface Passage {
  /** Every user reaches every file, or it does not matter. */
  Passage FREE = (path, account) -> {};

  /**
   * Makes sure that an account can reach a path.
   *
   * @throws IOException if it cannot; the message has the directory, and what to do
   */
  void open(Path path, Accounts.Account account) throws IOException;
}
