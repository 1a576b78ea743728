package verwalter.supervisor.program;

import java.util.List;

/**
 * One entry of a process file, looked at together with its sandbox and its image.
 *
 * @param problems that forbid to start it; empty if it may be started
 * @param warnings about what it asks for and does not get
 * @param programs one per instance that should run; empty if there are problems
 */
public record Examined(List<String> problems, List<String> warnings, List<Program> programs) {
  public Examined {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
    programs = List.copyOf(programs);
  }
}
