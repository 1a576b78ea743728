package verwalter.agent;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The agent's command line: the daemon, unless a subcommand is named. */
@Command(
    name = "verwalter",
    mixinStandardHelpOptions = true,
    version = BuildVersion.NUMBER,
    subcommands = {DemoCommand.class, WarmupCommand.class, JoinCommand.class},
    sortOptions = false,
    description = {
      "Keeps the services of this machine running as the schedule says.",
      "Without a subcommand it is the daemon: it stays in the foreground until it is asked to end,"
          + " and what it runs goes on then."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It ended after a signal or a command that only prints.",
      "1:An unexpected error; standard error has the reason.",
      "2:The command line is invalid.",
      "3:The setup failed: machine id, directories, a store that is in use or corrupt, or a machine that was removed from its cluster.",
      "81:Its HTTP address cannot be bound.",
      "91:An operation was stuck; the last line of the log names it. Restart the agent."
    },
    footer = {
      "",
      "Environment: VERWALTER_LOG sets levels, such as info or warn,verwalter.controllers=debug."
    })
public final class Main implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  @Mixin private final Settings settings = new Settings();

  @Option(
      names = "--join",
      paramLabel = "HOST[:PORT]",
      description =
          "Join the cluster of this node at the first start, with --token-file or --token, and"
              + " --address.")
  private Optional<String> join = Optional.empty();

  @Mixin private final JoinFlags joinFlags = new JoinFlags();

  /** Runs the agent and ends the process with its exit code. */
  public static void main(String[] arguments) {
    int code = commandLine().execute(arguments);
    if (isEnding()) {
      // After a signal, exit would wait forever, and systemd does not treat the signal's code as
      // success.
      Runtime.getRuntime().halt(code);
    }
    System.exit(code);
  }

  private static boolean isEnding() {
    var probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException ending) {
      return true;
    }
  }

  /** The flags and subcommands of the program. */
  public static CommandLine commandLine() {
    var line = new CommandLine(new Main());
    var join = requireNonNull(line.getSubcommands().get("join"));
    JoinCommand.hideUnused(join.getCommandSpec());
    return line.setExecutionExceptionHandler(
        (failure, failed, parsed) -> {
          if (failure instanceof SetupFailed setup) {
            failed.getErr().println("verwalter: " + setup.getMessage());
            return setup.exitCode().code();
          }
          throw failure;
        });
  }

  @Override
  public Integer call() throws Exception {
    if (join.isPresent()) {
      JoinCommand.atStart(settings, joinFlags, join.get(), LOG::info);
    }
    try (var signal = new ShutdownSignal()) {
      boolean again;
      do {
        var daemon = Daemon.start(settings, signal::restart);
        try {
          again = signal.awaitRestart();
        } finally {
          daemon.close();
        }
      } while (again);
    }
    return ExitCode.OK.code();
  }
}
