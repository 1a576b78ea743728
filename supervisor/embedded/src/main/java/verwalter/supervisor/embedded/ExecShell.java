package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.program.Program;

/**
 * Starts the commands of {@code vw exec}. They belong to the agent that started them: the next one
 * kills what is left.
 *
 * @param scope the beginning of the marks of this supervisor's commands
 * @param credentials the secrets of commands
 */
record ExecShell(ExecLaunch.Tools tools, String scope, Credentials credentials) {
  /** The environment variable with the mark. */
  static final String MARK = "VERWALTER_EXEC";

  /** The end of the marks of probes. */
  private static final String PROBE = "probe";

  static ExecShell of(ProcessShim shim, RunDirectory runs, Credentials credentials) {
    return new ExecShell(
        new ExecLaunch.Tools(
            shim.shell(), shim.setsid(), ProcessShim.program("script"), shim.umask()),
        runs.scope(),
        credentials);
  }

  /** Kills all commands of this supervisor. */
  void killAll() {
    Proc.killMarked(MARK, scope, id -> true);
    credentials.removeAllOfExec();
  }

  /** How a probe is started. It belongs to this agent, as the commands do. */
  ProbeLaunch probe(List<String> launcher, List<Path> cgroups) {
    var words = new ArrayList<String>();
    if (!cgroups.isEmpty()) {
      var code = cgroups.stream().map(ExecLaunch::entering).collect(Collectors.joining());
      words.addAll(List.of(tools.shell().toString(), "-c", code + "exec \"$@\"", "sh"));
    }
    words.addAll(launcher);
    return new ProbeLaunch(words, Map.of(MARK, scope + PROBE));
  }

  /**
   * Starts a program.
   *
   * @param cgroups of the process beside which it runs
   * @throws Supervisor.Refused if it needs a terminal and this machine cannot open one
   */
  RunningCommand start(ExecRequest request, Program program, String id, List<Path> cgroups)
      throws IOException {
    if (request.terminal().isPresent() && tools.script().isEmpty()) {
      throw new Supervisor.Refused(
          request.group(),
          List.of("there is no program script, which opens a terminal; install bsdutils"));
    }
    var mark = new ExecLaunch.Mark(MARK, scope + id);
    var prepared = credentials.preparedForExec(id, program);
    var launch = ExecLaunch.of(prepared, request.terminal(), tools, mark, cgroups);
    try {
      return new RunningCommand(
          launch.builder().start(), mark, program.launcher(), () -> credentials.removeOfExec(id));
    } catch (IOException failed) {
      credentials.removeOfExec(id);
      throw failed;
    }
  }
}
