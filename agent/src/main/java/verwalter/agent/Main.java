package verwalter.agent;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The agent's command line: the daemon, unless a subcommand is named. */
@Command(
    name = "verwalter",
    mixinStandardHelpOptions = true,
    version = Version.NUMBER,
    subcommands = {DemoCommand.class, WarmupCommand.class},
    sortOptions = false,
    description = {
      "Keeps the services of this machine running as the schedule says.",
      "Without a subcommand it is the daemon: it stays in the foreground until it is asked to end,"
          + " and what it runs goes on then."
    },
    footer = {
      "",
      "Exit codes: 0 asked to end, 2 bad command line, 3 cannot be set up (machine id, directories,"
          + " store), 81 HTTP address cannot be bound.",
      "Environment: VERWALTER_LOG sets levels, such as info or warn,verwalter.controllers=debug."
    })
public final class Main implements Callable<Integer> {
  @Mixin private final Settings settings = new Settings();

  /** Runs the agent and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExitCodeExceptionMapper(failure -> ExitCode.USAGE.code())
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              if (failure instanceof SetupFailed setup) {
                line.getErr().println("verwalter: " + setup.getMessage());
                return setup.exitCode().code();
              }
              throw failure;
            });
  }

  @Override
  public Integer call() throws Exception {
    try (var daemon = Daemon.start(settings)) {
      daemon.awaitSignal();
    }
    return ExitCode.OK.code();
  }
}
