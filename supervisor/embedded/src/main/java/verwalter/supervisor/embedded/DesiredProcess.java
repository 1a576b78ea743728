package verwalter.supervisor.embedded;

import java.util.List;

/**
 * What the process file wants of a slot.
 *
 * @param problems that forbid to start it
 */
record DesiredProcess(String identity, String image, List<String> problems, List<String> warnings) {
  DesiredProcess {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  DesiredProcess with(List<String> newProblems) {
    return new DesiredProcess(identity, image, newProblems, warnings);
  }
}
