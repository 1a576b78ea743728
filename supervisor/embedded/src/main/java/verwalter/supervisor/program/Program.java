package verwalter.supervisor.program;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ProcessSpec;

/**
 * One program to start.
 *
 * @param slot {@code group/process.index}
 * @param named executable as configured
 * @param executable the file to execute
 * @param environ the whole environment except {@code pidVariables}
 * @param pidVariables variables with the program's own process id
 * @param log file that stdout and stderr are appended to
 * @param fileLimit soft and hard limit of open files
 * @param launcher a program and its arguments that executes the executable in its own place, such
 *     as one that changes the user; empty for none
 * @param limits of the program and all that it starts together; the open files are in {@code
 *     fileLimit}
 * @param umask in octal digits; absent for the supervisor's
 * @param secrets the files that only its user may read
 */
public record Program(
    String slot,
    String named,
    Path executable,
    List<String> arguments,
    Path workdir,
    SortedMap<String, String> environ,
    SortedSet<String> pidVariables,
    Path log,
    long fileLimit,
    Terms terms,
    List<String> launcher,
    ProcessSpec.Limits limits,
    Optional<String> umask,
    ProgramSecrets secrets) {
  public Program {
    arguments = List.copyOf(arguments);
    launcher = List.copyOf(launcher);
    environ = Collections.unmodifiableSortedMap(new TreeMap<>(environ));
    pidVariables = Collections.unmodifiableSortedSet(new TreeSet<>(pidVariables));
  }

  /** A program without secrets. */
  public Program(
      String slot,
      String named,
      Path executable,
      List<String> arguments,
      Path workdir,
      SortedMap<String, String> environ,
      SortedSet<String> pidVariables,
      Path log,
      long fileLimit,
      Terms terms,
      List<String> launcher,
      ProcessSpec.Limits limits,
      Optional<String> umask) {
    this(
        slot,
        named,
        executable,
        arguments,
        workdir,
        environ,
        pidVariables,
        log,
        fileLimit,
        terms,
        launcher,
        limits,
        umask,
        ProgramSecrets.NONE);
  }

  /** A copy with one more environment variable. */
  public Program withVariable(String name, String value) {
    var variables = new TreeMap<>(environ);
    variables.put(name, value);
    return new Program(
        slot,
        named,
        executable,
        arguments,
        workdir,
        variables,
        pidVariables,
        log,
        fileLimit,
        terms,
        launcher,
        limits,
        umask,
        secrets);
  }

  /** A program that is executed without a launcher. */
  public Program(
      String slot,
      String named,
      Path executable,
      List<String> arguments,
      Path workdir,
      SortedMap<String, String> environ,
      SortedSet<String> pidVariables,
      Path log,
      long fileLimit,
      Terms terms) {
    this(
        slot,
        named,
        executable,
        arguments,
        workdir,
        environ,
        pidVariables,
        log,
        fileLimit,
        terms,
        List.of(),
        ProcessSpec.Limits.NONE,
        Optional.empty());
  }

  /**
   * The environment without process ids: {@code own}, and the variables of every program.
   *
   * @param config path of the configuration in the image; empty if there is none
   */
  public static SortedMap<String, String> environ(
      String term, Map<String, String> own, String slot, String config) {
    var environ = new TreeMap<String, String>();
    environ.put("TERM", term);
    environ.putAll(own);
    environ.put("LITHOS_NAME", slot);
    if (!config.isEmpty()) {
      environ.put("LITHOS_CONFIG", config);
    }
    return environ;
  }
}
