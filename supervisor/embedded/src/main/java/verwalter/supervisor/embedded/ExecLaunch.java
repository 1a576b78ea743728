package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.supervisor.program.LoaderVariables;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.ShellText;

/**
 * How a command of {@code vw exec} is started: the words of its command line, and the environment.
 * Values of the environment are in no command line, which every user of the machine can read.
 *
 * @param words the command line, which executes the program in its own place in a new session
 */
record ExecLaunch(List<String> words, SortedMap<String, String> environment, Path directory) {
  private static final String SHELL = "SHELL";
  private static final String STANDARD_SHELL = "/bin/sh";

  ExecLaunch {
    words = List.copyOf(words);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
  }

  /**
   * The programs of this machine that starts need.
   *
   * @param script of bsdutils, which opens a pseudo terminal; empty if it is missing
   * @param umask of programs that have none of their own, in octal digits
   */
  record Tools(Path shell, Path setsid, Optional<Path> script, String umask) {}

  /**
   * Decides. Pure.
   *
   * @param cgroups of the process beside which it runs; it runs without them if they are gone
   */
  static ExecLaunch of(
      Program program,
      Optional<ExecRequest.Terminal> terminal,
      Tools tools,
      Mark mark,
      List<Path> cgroups) {
    var environment = LoaderVariables.before(program.launcher(), program.environ());
    environment.put(mark.variable(), mark.value());
    var words = new ArrayList<String>();
    words.add(tools.shell().toString());
    words.add("-c");
    words.add(
        cgroups.stream().map(ExecLaunch::entering).collect(Collectors.joining())
            + "umask %s; ulimit -n %d || exit 126; unset PWD OLDPWD SHLVL; exec \"$@\""
                .formatted(program.umask().orElse(tools.umask()), program.fileLimit()));
    words.add("sh");
    words.add(tools.setsid().toString());
    words.addAll(program.launcher());
    words.addAll(LoaderVariables.behind(program.launcher(), program.environ()));
    if (terminal.isPresent()) {
      environment.put("TERM", terminal.get().type());
      // script runs $SHELL, which may be a program that refuses logins.
      var own = environment.put(SHELL, STANDARD_SHELL);
      words.add(tools.script().map(Path::toString).orElse("script"));
      words.addAll(List.of("-q", "-e", "-f", "-c"));
      words.add(inTerminal(program, terminal.get().size(), Optional.ofNullable(own)));
      words.add("/dev/null");
    } else {
      words.add(program.executable().toString());
      words.addAll(program.arguments());
    }
    return new ExecLaunch(words, environment, program.workdir());
  }

  /** Shell code that puts the shell into a cgroup, if it exists. */
  static String entering(Path group) {
    return "{ echo 0 >%s; } 2>/dev/null; "
        .formatted(ShellText.quoted(group.resolve("cgroup.procs").toString()));
  }

  /** The environment variable by which the processes of a command are found. */
  record Mark(String variable, String value) {}

  private static String inTerminal(
      Program program, ExecRequest.Size size, Optional<String> ownShell) {
    return "stty rows %d cols %d 2>/dev/null; %s; unset PWD OLDPWD; exec %s"
        .formatted(
            size.rows(),
            size.columns(),
            ownShell.map(it -> "export SHELL=" + ShellText.quoted(it)).orElse("unset SHELL"),
            Stream.concat(Stream.of(program.executable().toString()), program.arguments().stream())
                .map(ShellText::quoted)
                .collect(Collectors.joining(" ")));
  }

  /** Starts it. The caller connects the streams. */
  ProcessBuilder builder() {
    var builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.directory(directory.toFile());
    return builder;
  }

  /** For a message: the variables are secrets. */
  @Override
  public String toString() {
    return String.join(" ", words) + " with variables " + Map.copyOf(environment).keySet();
  }
}
