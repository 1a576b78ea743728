package verwalter.scheduler.lua.spec;

import java.util.List;
import java.util.Optional;

/**
 * One {@code it} of a spec file.
 *
 * @param index its place in the file, from 1
 * @param name with the names of the blocks around it
 * @param place file and line, such as {@code spec/ports_spec.lua:12}
 * @param pending whether it is only announced, and cannot be run
 */
public record Spec(int index, String name, String place, boolean pending) {

  /**
   * What came of a spec.
   *
   * @param failure empty if it holds
   * @param output what it printed
   * @param instructions how many it took of its budget
   */
  public record Result(Optional<Failure> failure, String output, long instructions) {}

  /**
   * Why a spec does not hold.
   *
   * @param message in one line or several
   * @param place file and line where that was found, if it is known
   * @param expected in Lua's notation
   * @param actual in Lua's notation
   * @param differences where two tables differ
   * @param trace of an error that was no failed assertion; else empty
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
