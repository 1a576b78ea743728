package verwalter.scheduler.lua.spec;

import java.util.List;
import java.util.Optional;

/**
 * One {@code it} of a spec file.
 *
 * @param index its index in the file, from 1
 * @param name including the names of the enclosing blocks
 * @param place file and line, such as {@code spec/ports_spec.lua:12}
 * @param pending whether it has no body to run
 */
public record Spec(int index, String name, String place, boolean pending) {

  /**
   * The result of a spec.
   *
   * @param failure empty if it passed
   * @param output the printed text
   * @param instructions the number of instructions used
   */
  public record Result(Optional<Failure> failure, String output, long instructions) {}

  /**
   * The failure of a spec.
   *
   * @param message one or more lines
   * @param place file and line of the failed assertion, if known
   * @param expected in Lua's notation
   * @param actual in Lua's notation
   * @param differences of two tables
   * @param trace of an error other than a failed assertion; else empty
   */
  public record Failure(
      String message,
      Optional<String> place,
      Optional<String> expected,
      Optional<String> actual,
      List<Difference> differences,
      String trace) {
    public Failure {
      differences = List.copyOf(differences);
    }

    static Failure of(String message, String trace) {
      return new Failure(
          message, Optional.empty(), Optional.empty(), Optional.empty(), List.of(), trace);
    }
  }

  /**
   * One difference between two tables.
   *
   * @param path such as {@code .web.worker} or {@code [2].port}
   */
  public record Difference(String path, String expected, String actual) {}
}
