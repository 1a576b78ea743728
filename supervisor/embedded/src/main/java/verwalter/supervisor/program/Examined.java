package verwalter.supervisor.program;

import java.util.List;

/**
 * The result of validating one entry of a process file with its sandbox and image.
 *
 * @param problems that prevent its start; empty if it may be started
 * @param warnings about settings that have no effect
 * @param programs one for each desired instance, and one for an image of which only operators start
 *     processes; empty if there are problems
 */
public record Examined(List<String> problems, List<String> warnings, List<Program> programs) {
  public Examined {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
    programs = List.copyOf(programs);
  }
}
