package verwalter.supervisor;

import java.util.List;

/**
 * What the process file wants of a slot.
 *
 * @param problems that forbid to start it
 */
record Wish(String identity, String image, List<String> problems, List<String> warnings) {
  Wish {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  Wish with(List<String> newProblems) {
    return new Wish(identity, image, newProblems, warnings);
  }
}
