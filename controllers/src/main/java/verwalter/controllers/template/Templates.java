package verwalter.controllers.template;

import java.util.List;
import java.util.Map;
import verwalter.model.TemplateOutput;

/**
 * Renders the templates of a role and applies what they give. Calls block and touch the disk: make
 * them off the loop, one at a time for each role.
 */
public interface Templates {
  /**
   * Renders and applies.
   *
   * @param owner the name of the template output, under which the role's own state is kept
   * @param template directory below {@code templates/}
   * @param before what the last successful application left in place
   * @throws Failed if nothing was changed: the files of before are in place
   */
  Applied apply(
      String owner, String role, String template, Map<String, Object> variables, Before before)
      throws Failed;

  /** Removes files that were written, and everything else kept for the owner. */
  void remove(String owner, List<TemplateOutput.File> files) throws Failed;

  /**
   * What the last successful application left in place; see {@link Applied}.
   *
   * @param digest empty if there was none
   */
  record Before(
      String digest, List<TemplateOutput.File> files, List<TemplateOutput.ProcessFile> processes) {
    /** Nothing was ever applied. */
    public static final Before NOTHING = new Before("", List.of(), List.of());

    public Before {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
    }
  }

  /**
   * What is in place now.
   *
   * @param digest equal as long as applying again would do the same
   * @param ofSchedule whether the templates may look at the whole schedule, so that another
   *     schedule may give something else
   * @param changed whether anything was written or run
   * @param log what was done, for people
   */
  record Applied(
      String digest,
      List<TemplateOutput.File> files,
      List<TemplateOutput.ProcessFile> processes,
      boolean ofSchedule,
      boolean changed,
      String log) {
    public Applied {
      files = List.copyOf(files);
      processes = List.copyOf(processes);
    }
  }

  /** Nothing was applied. */
  final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean lasting;
    private final String log;

    /**
     * A failure.
     *
     * @param message file, line and why, for people
     * @param lasting whether it stays until the input changes, so that trying again is no use
     */
    public Failed(String message, boolean lasting) {
      this(message, lasting, "");
    }

    /**
     * A failure of what was begun.
     *
     * @param log what was done until then, for people
     */
    public Failed(String message, boolean lasting, String log) {
      super(message, null, false, false);
      this.lasting = lasting;
      this.log = log;
    }

    /** What was done until then, for people; empty if nothing was. */
    public String log() {
      return log;
    }

    public boolean lasting() {
      return lasting;
    }
  }
}
