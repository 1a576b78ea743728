package verwalter.supervisor.embedded;

import java.io.IOException;
import java.util.List;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.program.Program;

/**
 * Starts the commands of {@code vw exec}. They belong to the agent that started them: the next one
 * kills what is left.
 *
 * @param scope the beginning of the marks of this supervisor's commands
 */
record ExecShell(ExecLaunch.Tools tools, String scope) {
  /** The environment variable with the mark. */
  private static final String MARK = "VERWALTER_EXEC";

  static ExecShell of(ProcessShim shim, RunDirectory runs) {
    return new ExecShell(
        new ExecLaunch.Tools(
            shim.shell(), shim.setsid(), ProcessShim.program("script"), shim.umask()),
        runs.scope());
  }

  /** Kills all commands of this supervisor. */
  void killAll() {
    Proc.killMarked(MARK, scope, id -> true);
  }

  /**
   * Starts a program.
   *
   * @throws Supervisor.Refused if it needs a terminal and this machine cannot open one
   */
  RunningCommand start(ExecRequest request, Program program, String id) throws IOException {
    if (request.terminal().isPresent() && tools.script().isEmpty()) {
      throw new Supervisor.Refused(
          request.group(),
          List.of("there is no program script, which opens a terminal; install bsdutils"));
    }
    var mark = new ExecLaunch.Mark(MARK, scope + id);
    var launch = ExecLaunch.of(program, request.terminal(), tools, mark);
    return new RunningCommand(launch.builder().start(), mark, program.launcher());
  }
}
