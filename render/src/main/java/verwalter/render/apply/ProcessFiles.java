package verwalter.render.apply;

import verwalter.model.TemplateOutput;

/**
 * Takes the process files that recipes hand to {@code lithos_switch}. Validates and parses; what it
 * accepts takes effect only when the whole application succeeds.
 */
@FunctionalInterface
public interface ProcessFiles {

  /**
   * Parses and checks the process file of a sandbox.
   *
   * @param text the rendered file
   * @param source where the text came from, for messages
   * @throws Refused if it is not a process file that the sandbox may run
   */
  TemplateOutput.ProcessFile accept(String sandbox, String text, String source) throws Refused;

  /** The process file is wrong; the message says what and where. */
  final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
      super(message, null, false, false);
    }
  }
}
