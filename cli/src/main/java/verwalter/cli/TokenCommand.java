package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Names;

/**
 * {@code vw token}: creates, lists and revokes join tokens. The secret is made here and printed
 * once; the server gets its hash only.
 */
final class TokenCommand implements Verb {
  private static final List<String> WORDS = List.of("create", "list", "delete");
  private static final Duration DEFAULT_TIME = Duration.ofDays(1);
  private static final Duration MOST_TIME = Duration.ofDays(90);

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw token create | list | delete ID... [flags]",
        "A token with which one machine can join within a day",
        "vw token create",
        "A token for three machines, for an hour",
        "vw token create --uses 3 --ttl 1h",
        "A token for a machine that lost its disk",
        "vw token create --name web-1",
        "All tokens, without their secrets",
        "vw token list",
        "Revoke a token",
        "vw token delete k3m9q2x7ab");
    spec.addOption(Flags.text("WHAT", "create: node or channel (default node)", "--for"));
    spec.addOption(
        Flags.text("NAME", "create: the only node that may use it, or the channel", "--name"));
    spec.addOption(Flags.text("NUMBER", "create: how often it can be used (default 1)", "--uses"));
    spec.addOption(Flags.text("TIME", "create: how long it is valid (default 24h)", "--ttl"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var command = words.isEmpty() ? "" : words.get(0);
    boolean alone = words.size() == 1;
    if (command.equals("create") && alone) {
      create(args, session);
    } else if (command.equals("list") && alone) {
      list(session);
    } else if (command.equals("delete") && !alone) {
      delete(words.subList(1, words.size()), session);
    } else {
      throw Failure.usage(
          WORDS.contains(command)
              ? "token %s takes %s".formatted(command, alone ? "the ids of tokens" : "no argument")
              : "token takes a command: " + String.join(", ", WORDS),
          "vw help token");
    }
    return Exit.OK;
  }

  private static void create(ParseResult args, Session session) throws IOException {
    var cluster = session.api().read("/v1/cluster");
    var token = create(spec(args, session), cluster, session);
    session.println(token.text());
    if (args.matchedOptionValue("--for", "node").equals("node")) {
      session.environment().err().println(next(cluster, token));
    }
  }

  /** The command to run on the machine that joins. */
  static String next(Map<String, Object> cluster, JoinTokenText token) {
    return "on the new machine: verwalter join %s --token %s"
        .formatted(PlainJson.text(cluster, "address"), token.text());
  }

  /**
   * Creates a token for any one machine, valid for a day.
   *
   * @param cluster the answer of {@code /v1/cluster}
   */
  static JoinTokenText ofDefaults(Map<String, Object> cluster, Session session) throws IOException {
    return create(spec("node", "", 1, DEFAULT_TIME, session), cluster, session);
  }

  /**
   * Lets a node take another name.
   *
   * @param cluster the answer of {@code /v1/cluster}
   */
  static void renaming(
      String from, String to, Duration time, Map<String, Object> cluster, Session session)
      throws IOException {
    create(spec("node", to, 1, time, session), Map.of(JoinToken.RENAMES, from), cluster, session);
  }

  private static JoinTokenText create(
      Map<String, Object> spec, Map<String, Object> cluster, Session session) throws IOException {
    return create(spec, Map.of(), cluster, session);
  }

  private static JoinTokenText create(
      Map<String, Object> spec,
      Map<String, Object> annotations,
      Map<String, Object> cluster,
      Session session)
      throws IOException {
    var token =
        JoinTokenText.create(
            PlainJson.text(cluster, "authority"), session.environment().chance().get());
    spec.put("hash", token.hash());
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    object.put("kind", JoinToken.KIND.name());
    object.put("metadata", Map.of("name", token.id(), "annotations", annotations));
    object.put("spec", spec);
    session.api().create(session.type(JoinToken.KIND.plural()), object, QueryParameters.NONE);
    return token;
  }

  private static Map<String, Object> spec(ParseResult args, Session session) {
    var purpose = args.matchedOptionValue("--for", "node");
    var name = args.matchedOptionValue("--name", "");
    if (!List.of("node", "channel").contains(purpose)) {
      throw Failure.usage("--for is node or channel, not \"" + purpose + "\"", "");
    }
    if (purpose.equals("channel") && name.isEmpty()) {
      throw Failure.usage(
          "a token for a channel needs its name", "vw token create --for channel --name stable");
    }
    if (!name.isEmpty() && !Names.isValid(name)) {
      throw Failure.usage("--name must be " + Names.RULE, "");
    }
    int uses = DecisionCommands.number(args, "--uses", 1);
    if (uses > JoinToken.MOST_USES) {
      throw Failure.usage("--uses is %d at most".formatted(JoinToken.MOST_USES), "");
    }
    return spec(purpose, name, uses, time(args), session);
  }

  private static Map<String, Object> spec(
      String purpose, String name, int uses, Duration time, Session session) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("purpose", purpose.equals("node") ? "Node" : "Channel");
    if (!name.isEmpty()) {
      spec.put("name", name);
    }
    spec.put("uses", (long) uses);
    spec.put("expires", session.now().plus(time).toString());
    spec.put("createdBy", session.environment().variable("USER"));
    return spec;
  }

  private static Duration time(ParseResult args) {
    var time = Session.duration("--ttl", args.matchedOptionValue("--ttl", "24h"));
    if (time.isZero() || time.compareTo(MOST_TIME) > 0) {
      throw Failure.usage(
          "--ttl is more than zero and %d h at most".formatted(MOST_TIME.toHours()), "");
    }
    return time;
  }

  private static void list(Session session) throws IOException {
    var type = session.type(JoinToken.KIND.plural());
    var tokens = session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE);
    var rows =
        PlainJson.list(tokens, "items").stream()
            .map(
                it ->
                    List.of(
                        PlainJson.text(it, "metadata", "name"),
                        (PlainJson.text(it, "spec", "purpose").toLowerCase(Locale.ROOT)
                                + " "
                                + PlainJson.text(it, "spec", "name"))
                            .strip(),
                        used(it),
                        PlainJson.text(it, "spec", "expires"),
                        PlainJson.text(it, "spec", "createdBy")))
            .toList();
    session.print(
        new TextTable(List.of("id", "for", "used", "expires", "creator"), session.paint())
            .lines(rows, true));
  }

  private static String used(Object token) {
    var used = PlainJson.text(token, "status", "used");
    return (used.isEmpty() ? "0" : used) + "/" + PlainJson.text(token, "spec", "uses");
  }

  private static void delete(List<String> ids, Session session) throws IOException {
    var type = session.type(JoinToken.KIND.plural());
    for (var id : ids) {
      session.api().delete(type, id, QueryParameters.NONE);
      session.say("token " + id + " revoked");
    }
  }
}
