package verwalter.render.apply;

import verwalter.model.TemplateOutput;

/**
 * Accepts the process files that recipes pass to {@code lithos_switch}. It validates them; an
 * accepted file takes effect only if the whole application succeeds.
 */
@FunctionalInterface
public interface ProcessFiles {

  /**
   * Parses and validates the process file of a sandbox.
   *
   * @param text the rendered file
   * @param source the path of the text, for messages
   * @throws Refused if it is not a process file that the sandbox may run
   */
  TemplateOutput.ProcessFile accept(String sandbox, String text, String source) throws Refused;

  /** The process file is not valid; the message has the error and its position. */
  final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
      super(message, null, false, false);
    }
  }
}
