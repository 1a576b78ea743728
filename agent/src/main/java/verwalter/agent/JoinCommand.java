package verwalter.agent;

import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verwalter join}: makes this machine a node of a cluster. */
@Command(
    name = "join",
    mixinStandardHelpOptions = true,
    description = {
      "Makes this machine a node of a cluster. Without HOST it founds a cluster.",
      "The agent of this machine must not run; it is started afterwards. Give both the same flags:"
          + " those of the agent that are not listed here have no effect."
    })
final class JoinCommand implements Callable<Integer> {
  /** The flags of the agent that have an effect. */
  private static final Set<String> USED =
      Set.of(
          "--storage-dir",
          "--store",
          "--insecure",
          "--hostname",
          "--override-machine-id",
          "--token",
          "--token-file",
          "--address",
          "--help",
          "--version");

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "HOST[:PORT]",
      description = "The cluster address of a node, which need not lead.")
  private Optional<String> host = Optional.empty();

  @Mixin private final JoinFlags flags = new JoinFlags();

  @Mixin private final Settings settings = new Settings();

  /** Hides flags without an effect in the help. */
  static void hideUnused(CommandSpec spec) {
    for (var option : Set.copyOf(spec.options())) {
      if (USED.stream().noneMatch(it -> it.equals(option.longestName()))) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).hidden(true).build());
      }
    }
  }

  @Override
  public Integer call() throws Exception {
    var out = spec.commandLine().getOut();
    Consumer<String> progress =
        line -> {
          out.println(line);
          out.flush();
        };
    var files = files(settings);
    if (host.isPresent()) {
      join(files, settings, flags, host.get(), progress);
      out.println("Start its agent: verwalter");
    } else {
      var vertx = Vertx.vertx();
      try {
        var founded =
            new Joining(files, vertx, InstantSource.system(), new SecureRandom(), progress)
                .found(flags.machine(settings), settings.ensemble());
        out.printf(
            "This machine is node %s of the new cluster %s. Start its agent: verwalter%n",
            founded.node(), founded.cluster());
      } finally {
        Waiting.forResult(vertx.close());
      }
    }
    return ExitCode.OK.code();
  }

  private static ClusterFiles files(Settings settings) {
    return ClusterFiles.in(settings.places(System.getenv(), MachineFacts.isRoot()).storage());
  }

  /** Joins before the agent starts, unless the machine has joined, or was removed. */
  static void atStart(Settings settings, JoinFlags flags, String host, Consumer<String> progress)
      throws Exception {
    var files = files(settings);
    if (!files.isRemoved() && !Joining.isDone(files)) {
      join(files, settings, flags, host, progress);
    }
  }

  private static void join(
      ClusterFiles files,
      Settings settings,
      JoinFlags flags,
      String host,
      Consumer<String> progress)
      throws Exception {
    var vertx = Vertx.vertx();
    try {
      new Joining(files, vertx, InstantSource.system(), new SecureRandom(), progress)
          .join(JoinFlags.address("HOST", host), flags.token(), flags.machine(settings));
    } finally {
      Waiting.forResult(vertx.close());
    }
  }
}
