package verwalter.supervisor.embedded;

import java.util.List;

/**
 * The desired process of a slot, from the process file.
 *
 * @param problems that prevent its start
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
