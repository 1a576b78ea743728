package verwalter.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiException;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Unreachable;

/** {@code vw cluster}: founds a cluster, shows it, recovers it, and replaces its authority. */
final class ClusterCommand implements Verb {
  private static final List<String> WORDS = List.of("init", "status", "rotate-ca", "recover");

  private static final String RECOVERY = "/v1/cluster/recovery";

  /** How long the agent may take to start its parts again. */
  private static final Duration RESTART = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(200);

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw cluster init [--address HOST[:PORT]] | status | rotate-ca | recover [flags]",
        "Found a cluster on this machine, and show how others join",
        "vw cluster init --address 10.0.0.1",
        "The cluster of the server, and its members",
        "vw cluster status",
        "Replace the authority that issues all certificates, and wait until it is done",
        "vw cluster rotate-ca",
        "Go on without a node that does not come back soon; it must join again",
        "vw cluster rotate-ca --without web-3",
        "Return to the old authority, while no certificate of the new one is in use",
        "vw cluster rotate-ca --abort",
        "Go on with this node alone after most electors were lost for good",
        "vw cluster recover");
    spec.addOption(Flags.flag("recover: do not ask for confirmation", "-y", "--yes"));
    spec.addOption(
        Flags.text("HOST[:PORT]", "init: where other machines reach this one", "--address"));
    spec.addOption(
        Flags.text(
            "DIR",
            "init: where the admin's credentials are written (default ~/.config/verwalter)",
            "--credentials"));
    spec.addOption(
        Flags.text(
            "NODE[,NODE]", "rotate-ca: nodes that the change does not wait for", "--without"));
    spec.addOption(Flags.flag("rotate-ca: return to the old authority", "--abort"));
    spec.addOption(Flags.flag("rotate-ca: do not wait until it is done", "--no-wait"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 1 || !WORDS.contains(words.get(0))) {
      throw Failure.usage(
          "cluster takes a command: " + String.join(", ", WORDS), "vw help cluster");
    }
    if (words.get(0).equals("init")) {
      found(args, session);
    } else if (words.get(0).equals("rotate-ca")) {
      AuthorityCommand.run(args, session);
    } else if (words.get(0).equals("recover")) {
      recover(args, session);
    } else {
      show(session.api().read("/v1/cluster"), session);
    }
    return Exit.OK;
  }

  private static void found(ParseResult args, Session session) throws IOException {
    var address = args.matchedOptionValue("--address", "");
    var directory = directory(args, session.environment());
    var cluster =
        session
            .api()
            .post("/v1/cluster", address.isEmpty() ? Map.of() : Map.of("address", address));
    var id = PlainJson.text(cluster, "cluster");
    write(directory.resolve(id + ".admin.pem"), PlainJson.text(cluster, "credentials"));
    write(directory.resolve(id + ".ca.pem"), PlainJson.text(cluster, "trust"));
    session.say(
        "cluster %s: this machine is node %s at %s"
            .formatted(id, PlainJson.text(cluster, "node"), PlainJson.text(cluster, "address")));
    session.say("your credentials as admin: " + directory.resolve(id + ".admin.pem"));
    afterRestart(session, () -> session.api().read("/v1/cluster"));
    var token = afterRestart(session, () -> TokenCommand.ofDefaults(cluster, session));
    session.say(TokenCommand.next(cluster, token));
    session.say("for further machines: vw token create");
  }

  private static void recover(ParseResult args, Session session) throws IOException {
    var copy = session.api().read(RECOVERY);
    var node = PlainJson.text(copy, "node");
    var others =
        PlainJson.list(copy, "others").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    var err = session.environment().err();
    err.printf("Node %s becomes the only one of its cluster.%n", TextTable.clean(node));
    err.printf(
        "Kept: everything up to entry %s of the log, last written at %s.%n",
        PlainJson.text(copy, "entry"), PlainJson.text(copy, "written"));
    err.println("Lost: writes that this node did not receive.");
    err.printf(
        "These nodes have to join again with a new token: %s%n",
        others.isEmpty() ? "none" : TextTable.clean(others));
    err.println(
        "If most electors still run elsewhere, do not do this: there would be two clusters.");
    if (!args.matchedOptionValue("--yes", false)) {
      Confirmation.ask("recovering", "Recover?", "nothing was changed", session);
    }
    session.api().post(RECOVERY, Map.of());
    session.say("the agent of %s starts again as the only node".formatted(node));
    session.say("see: vw cluster status; for other machines: vw token create");
  }

  /** A request that fails while the agent starts its parts again. */
  @FunctionalInterface
  private interface Attempt<T> {
    T run() throws IOException;
  }

  /** Repeats a request until the agent is a member of the cluster and leads it. */
  private static <T> T afterRestart(Session session, Attempt<T> attempt) throws IOException {
    var end = session.now().plus(RESTART);
    for (; ; ) {
      try {
        return attempt.run();
      } catch (ApiException | Unreachable restarting) {
        if (session.now().isAfter(end)) {
          throw Failure.error(
              "the agent has not come back as a member of the cluster: " + restarting.getMessage(),
              "its log, and: vw status");
        }
      }
      session.environment().pause().pause(PAUSE);
    }
  }

  private static Path directory(ParseResult args, Environment environment) {
    var given = args.matchedOptionValue("--credentials", "");
    if (!given.isEmpty()) {
      return Path.of(given);
    }
    var config = environment.variable("XDG_CONFIG_HOME");
    return (config.isEmpty() ? Path.of(environment.variable("HOME"), ".config") : Path.of(config))
        .resolve("verwalter");
  }

  /** Writes a new file that only its owner can read, whatever the umask. */
  private static void write(Path file, String text) throws IOException {
    var parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(
          parent,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    var own = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (var channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), own)) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** An elector votes, a spare has a server of the log without a vote, an observer has none. */
  private static String role(Object member) {
    if (PlainJson.text(member, "elector").equals("true")) {
      return "elector";
    }
    return PlainJson.text(member, "server").equals("true") ? "spare" : "observer";
  }

  private static void show(Map<String, Object> cluster, Session session) throws IOException {
    session.println("cluster      " + PlainJson.text(cluster, "cluster"));
    session.println("node         " + PlainJson.text(cluster, "node"));
    session.println("address      " + PlainJson.text(cluster, "address"));
    session.println("authority    sha256:" + PlainJson.text(cluster, "authority"));
    session.println("certificate  valid until " + PlainJson.text(cluster, "expires"));
    AuthorityCommand.describe(session).ifPresent(it -> session.println("new authority " + it));
    var rows =
        PlainJson.list(cluster, "members").stream()
            .map(
                it ->
                    List.of(
                        PlainJson.text(it, "node"),
                        role(it),
                        String.join(
                            ", ",
                            PlainJson.list(it, "addresses").stream()
                                .map(String::valueOf)
                                .toList())))
            .toList();
    session.print(
        "\n"
            + new TextTable(List.of("node", "role", "addresses"), session.paint())
                .lines(rows, true));
  }
}
