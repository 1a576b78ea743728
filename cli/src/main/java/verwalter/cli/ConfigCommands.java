package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.model.Names;

/**
 * {@code vw config}: lists, chooses and changes contexts; and compares and accepts the
 * configuration directories of nodes.
 */
final class ConfigCommands implements Verb {
  static final List<String> WORDS =
      List.of(
          "get-contexts",
          "current-context",
          "use-context",
          "set-context",
          "delete-context",
          "diff",
          "accept");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw config get-contexts | current-context | use-context NAME | set-context NAME |"
            + " delete-context NAME | diff [NODE] | accept NODE",
        "The servers that you have named",
        "vw config get-contexts",
        "Name a server, with the options that reach it",
        "vw config set-context shop --server https://shop-1:8379 --certificate-authority ca.pem"
            + " --token-file ~/shop.token",
        "Use it from now on",
        "vw config use-context shop",
        "Use it once",
        "vw --context shop get nodes",
        "How the configuration directories of nodes differ from the configuration in force",
        "vw config diff",
        "Let the leader n2 take the roles and the scheduler in its directory",
        "vw config accept n2");
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var word = words.isEmpty() ? "" : words.get(0);
    if (word.equals("diff") || word.equals("accept")) {
      return new DirectoryCommands(session).run(words);
    }
    var contexts = Contexts.read(session.environment());
    switch (word) {
      case "get-contexts" -> list(contexts, session);
      case "current-context" -> {
        if (contexts.current().isEmpty()) {
          throw Failure.error("no context is in use", "choose one: vw config use-context NAME");
        }
        session.println(contexts.current());
      }
      case "use-context" -> {
        var name = name(words);
        contexts.named(name);
        new Contexts(name, contexts.all()).write(session.environment());
        session.say("Switched to context \"" + name + "\".");
      }
      case "set-context" -> set(contexts, name(words), args, session);
      case "delete-context" -> {
        var name = name(words);
        contexts.named(name);
        var rest = new TreeMap<>(contexts.all());
        rest.remove(name);
        new Contexts(name.equals(contexts.current()) ? "" : contexts.current(), rest)
            .write(session.environment());
        session.say("Deleted context \"" + name + "\".");
      }
      default ->
          throw Failure.usage(
              word.isEmpty()
                  ? "config takes a command: " + String.join(", ", WORDS)
                  : "unknown command \"config " + word + "\"",
              Names.nearest(word, WORDS)
                  .map(near -> "did you mean vw config " + near + "?")
                  .orElse("vw help config"));
    }
    return Exit.OK;
  }

  private static String name(List<String> words) {
    if (words.size() != 2 || words.get(1).isEmpty()) {
      throw Failure.usage(words.get(0) + " takes the name of a context", "vw help config");
    }
    return words.get(1);
  }

  private static void set(Contexts contexts, String name, ParseResult args, Session session)
      throws IOException {
    var settings =
        new LinkedHashMap<>(contexts.all().containsKey(name) ? contexts.named(name) : Map.of());
    for (var setting : Contexts.SETTINGS) {
      var value = args.matchedOptionValue("--" + setting, "");
      if (!value.isEmpty()) {
        settings.put(setting, value);
      }
    }
    if (!settings.containsKey("server")) {
      throw Failure.usage("a context needs --server", "vw help config");
    }
    var all = new TreeMap<>(contexts.all());
    boolean known = all.put(name, settings) != null;
    new Contexts(contexts.current(), all).write(session.environment());
    session.say("Context \"%s\" %s.".formatted(name, known ? "modified" : "created"));
  }

  private static void list(Contexts contexts, Session session) {
    var rows = new ArrayList<List<String>>();
    contexts
        .all()
        .forEach(
            (name, settings) ->
                rows.add(
                    List.of(
                        name.equals(contexts.current()) ? "*" : "",
                        name,
                        settings.getOrDefault("server", ""),
                        credential(settings))));
    session.print(
        new TextTable(List.of("Current", "Name", "Server", "Credential"), session.paint())
            .lines(rows, true));
  }

  private static String credential(Map<String, String> settings) {
    if (settings.containsKey("token") || settings.containsKey("token-file")) {
      return "token";
    }
    return settings.containsKey("client-certificate") ? "certificate" : "<none>";
  }
}
