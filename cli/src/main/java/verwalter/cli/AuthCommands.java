package verwalter.cli;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.access.TokenText;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;

/** {@code vw auth}: who you are, what you may do, and tokens. */
final class AuthCommands implements Verb {
  static final List<String> WORDS =
      List.of("whoami", "can-i", "create-token", "revoke-token", "list");

  private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
  private static final String AUTHENTICATION = "/apis/authentication.k8s.io/v1/";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw auth whoami | can-i VERB TYPE [NAME] | create-token NAME | revoke-token NAME | list",
        "Who the server takes you for",
        "vw auth whoami",
        "Whether you may do something, to the objects of a role",
        "vw auth can-i patch roleconfigs --role shop",
        "All that you may do",
        "vw auth can-i --list",
        "A token for a program, which is printed once",
        "vw auth create-token ci --grant operator --ttl 24h",
        "End it at once",
        "vw auth revoke-token ci",
        "All tokens and access rules",
        "vw auth list");
    spec.addOption(Flags.text("ROLE", "can-i: objects of this role", "--role"));
    spec.addOption(Flags.flag("can-i: all that you may do", "--list"));
    spec.addOption(
        Flags.text("GRANT", "create-token: viewer (default), operator, admin or none", "--grant"));
    spec.addOption(
        Flags.texts("GROUP", "create-token: a group of the caller, more than once", "--group"));
    spec.addOption(
        Flags.text("USER", "create-token: the name of the caller (default NAME)", "--user"));
    spec.addOption(Flags.text("TIME", "create-token: how long it is valid (default 24h)", "--ttl"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var word = words.isEmpty() ? "" : words.get(0);
    var rest = words.isEmpty() ? words : words.subList(1, words.size());
    return switch (word) {
      case "whoami" -> whoami(session);
      case "can-i" ->
          args.matchedOptionValue("--list", false) ? all(session) : canI(rest, args, session);
      case "create-token" -> create(one(rest, word), args, session);
      case "revoke-token" -> revoke(one(rest, word), session);
      case "list" -> list(session);
      default ->
          throw Failure.usage(
              word.isEmpty()
                  ? "auth takes a command: " + String.join(", ", WORDS)
                  : "unknown command \"auth " + word + "\"",
              Names.nearest(word, WORDS)
                  .map(near -> "did you mean vw auth " + near + "?")
                  .orElse("vw help auth"));
    };
  }

  private static String one(List<String> words, String command) {
    if (words.size() != 1) {
      throw Failure.usage(command + " takes the name of a token", "vw help auth");
    }
    return words.get(0);
  }

  private static Exit whoami(Session session) throws IOException {
    var review = session.api().post(AUTHENTICATION + "selfsubjectreviews", Map.of());
    var user = PlainJson.map(review, "status", "userInfo");
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("Name", PlainJson.text(user, "username")));
    rows.add(List.of("Groups", joined(PlainJson.list(user, "groups"))));
    rows.add(List.of("Known by", joined(PlainJson.list(user, "extra", "verwalter.io/credential"))));
    rows.add(List.of("Server", session.server().toString()));
    session.print(new TextTable(List.of("Attribute", "Value"), session.paint()).lines(rows, true));
    return Exit.OK;
  }

  private static String joined(List<Object> words) {
    return String.join(", ", words.stream().map(String::valueOf).toList());
  }

  private static Exit canI(List<String> words, ParseResult args, Session session)
      throws IOException {
    if (words.size() < 2 || words.size() > 3) {
      throw Failure.usage(
          "can-i takes a verb and a type", "vw auth can-i delete roleconfigs [NAME]");
    }
    var resource = new LinkedHashMap<String, Object>();
    resource.put("verb", words.get(0));
    resource.put("resource", words.get(1));
    if (words.size() > 2) {
      resource.put("name", words.get(2));
    }
    var role = args.matchedOptionValue("--role", "");
    if (!role.isEmpty()) {
      resource.put("role", role);
    }
    var review =
        session
            .api()
            .post(
                AUTHORIZATION + "selfsubjectaccessreviews",
                Map.of("spec", Map.of("resourceAttributes", resource)));
    boolean allowed = Boolean.TRUE.equals(PlainJson.at(review, "status", "allowed"));
    session.println((allowed ? "yes" : "no") + " - " + PlainJson.text(review, "status", "reason"));
    return allowed ? Exit.OK : Exit.ERROR;
  }

  private static Exit all(Session session) throws IOException {
    var review =
        session.api().post(AUTHORIZATION + "selfsubjectrulesreviews", Map.of("spec", Map.of()));
    var rows = new ArrayList<List<String>>();
    for (var rule : PlainJson.list(review, "status", "resourceRules")) {
      rows.add(
          List.of(
              joined(PlainJson.list(rule, "resources")), joined(PlainJson.list(rule, "verbs"))));
    }
    for (var rule : PlainJson.list(review, "status", "nonResourceRules")) {
      rows.add(
          List.of(
              joined(PlainJson.list(rule, "nonResourceURLs")),
              joined(PlainJson.list(rule, "verbs"))));
    }
    session.print(new TextTable(List.of("What", "Verbs"), session.paint()).lines(rows, true));
    var more = PlainJson.text(review, "status", "evaluationError");
    if (!more.isEmpty()) {
      session.say(more + "; ask for one: vw auth can-i VERB TYPE --role ROLE");
    }
    return Exit.OK;
  }

  private static Exit create(String name, ParseResult args, Session session) throws IOException {
    var grant = args.matchedOptionValue("--grant", "viewer");
    if (!List.of("viewer", "operator", "admin", "none").contains(grant)) {
      throw Failure.usage(
          "--grant must be viewer, operator, admin or none, not \"" + grant + "\"", "vw help auth");
    }
    var groups = new ArrayList<Object>();
    if (!grant.equals("none")) {
      groups.add("verwalter:" + grant);
    }
    List<String> more = args.matchedOptionValue("--group", List.of());
    groups.addAll(more);
    var lifetime = Session.duration("--ttl", args.matchedOptionValue("--ttl", "24h"));
    Instant expires = session.now().plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
    var token = TokenText.create(name, Vw.chance());
    var spec = new LinkedHashMap<String, Object>();
    spec.put("user", args.matchedOptionValue("--user", name));
    spec.put("groups", groups);
    spec.put("hash", token.hash());
    spec.put("expires", expires.toString());
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    object.put("kind", "AccessToken");
    object.put("metadata", Map.of("name", name));
    object.put("spec", spec);
    session.api().create(session.type("accesstokens"), object, QueryParameters.NONE);
    session.println(token.text());
    session
        .environment()
        .err()
        .println("This token is shown once. It is valid until %s.".formatted(expires));
    return Exit.OK;
  }

  private static Exit revoke(String name, Session session) throws IOException {
    session.api().delete(session.type("accesstokens"), name, QueryParameters.NONE);
    session.say("Revoked token \"" + name + "\".");
    return Exit.OK;
  }

  private static Exit list(Session session) throws IOException {
    for (var kind : List.of("accesstokens", "accessrules")) {
      var table =
          session.api().list(session.type(kind), ApiClient.Shape.OBJECTS, QueryParameters.NONE);
      var rows = new ArrayList<List<String>>();
      for (var item : PlainJson.list(table, "items")) {
        rows.add(kind.equals("accesstokens") ? token(item) : rule(item));
      }
      var headings =
          kind.equals("accesstokens")
              ? List.of("Token", "User", "Groups", "Expires")
              : List.of("Rule", "Grants", "Subjects", "Limited to");
      session.print(new TextTable(headings, session.paint()).lines(rows, true));
      session.println("");
    }
    return Exit.OK;
  }

  private static List<String> token(Object item) {
    return List.of(
        PlainJson.text(item, "metadata", "name"),
        PlainJson.text(item, "spec", "user"),
        joined(PlainJson.list(item, "spec", "groups")),
        PlainJson.text(item, "spec", "expires"));
  }

  private static List<String> rule(Object item) {
    var subjects =
        PlainJson.list(item, "spec", "subjects").stream()
            .map(it -> PlainJson.text(it, "kind") + " " + PlainJson.text(it, "name"))
            .toList();
    var limits = new ArrayList<Object>();
    for (var part : List.of("kinds", "verbs", "roles")) {
      limits.addAll(PlainJson.list(item, "spec", part));
    }
    return List.of(
        PlainJson.text(item, "metadata", "name"),
        PlainJson.text(item, "spec", "grants"),
        String.join(", ", subjects),
        joined(limits));
  }
}
