package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.Schedule;

/**
 * Prints how a command line can be continued, for the completion scripts of shells: one candidate
 * per line, with its description after a tab. The line {@code :files} asks the shell for file
 * names. If the server does not answer, there are no candidates.
 */
final class Completer {
  static final String FILES = ":files";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final List<Verbs> ABOUT_OBJECTS =
      List.of(Verbs.GET, Verbs.DESCRIBE, Verbs.EDIT, Verbs.DELETE, Verbs.WAIT);
  private static final List<Verbs> ABOUT_NODES = List.of(Verbs.CORDON, Verbs.UNCORDON, Verbs.DRAIN);

  private final Environment environment;

  Completer(Environment environment) {
    this.environment = environment;
  }

  /**
   * Prints the candidates.
   *
   * @param words the words after {@code vw}; the last is the one being typed, and may be empty
   */
  Exit complete(List<String> words) {
    var typed = words.isEmpty() ? "" : words.get(words.size() - 1);
    try {
      candidates(words.subList(0, Math.max(0, words.size() - 1)), typed)
          .filter(candidate -> candidate.equals(FILES) || candidate.startsWith(typed))
          .forEach(environment.out()::println);
    } catch (IOException | ApiException | Failure | IllegalArgumentException nothingToSay) {
      return Exit.ERROR;
    }
    return Exit.OK;
  }

  private Stream<String> candidates(List<String> before, String typed) throws IOException {
    int place = Vw.verbPlace(before);
    var verb = place < 0 ? null : Verbs.named(before.get(place)).orElse(null);
    var last = before.isEmpty() ? "" : before.get(before.size() - 1);
    if (place >= 0 && verb == null) {
      return Stream.of();
    }
    if (last.startsWith("-") || typed.startsWith("-")) {
      var spec = verb == null ? Flags.global(Flags.command("", "")) : verb.spec(verb.verb());
      var option = valued(spec, last);
      if (option != null) {
        return values(option, verb, before);
      }
      if (typed.startsWith("-")) {
        return flags(spec, verb, before, typed);
      }
    }
    return verb == null
        ? Stream.of(Verbs.values()).map(each -> each.word() + "\t" + each.summary())
        : arguments(verb, before.subList(place + 1, before.size()), before, typed);
  }

  /** The option whose value is missing; null if {@code word} is no such option. */
  private static @Nullable OptionSpec valued(CommandSpec spec, String word) {
    var option = word.startsWith("-") ? spec.findOption(word) : null;
    return option != null && option.arity().max() > 0 ? option : null;
  }

  private Stream<String> values(OptionSpec option, @Nullable Verbs verb, List<String> before)
      throws IOException {
    return switch (option.longestName()) {
      case "--output" -> Stream.of("wide", "name", "yaml", "json", "jsonpath=", "custom-columns=");
      case "--color" -> Stream.of("auto", "always", "never");
      case "--dry-run" -> Stream.of("none", "server");
      case "--for" -> Stream.of("condition=", "jsonpath=", "create", "delete");
      case "--wait" -> Stream.of("true", "false");
      case "--node", "--to" ->
          verb == Verbs.FILES
              ? files(option.longestName(), before)
              : asking(before, api -> names(api, "nodes"));
      case "--context" -> Contexts.read(environment).all().keySet().stream();
      case "--grant" -> Stream.of("viewer", "operator", "admin", "none");
      case "--part" -> DecisionCommands.PARTS.stream();
      case "--filename",
          "--metadata",
          "--certificate-authority",
          "--client-certificate",
          "--client-key",
          "--token-file",
          "--dir" ->
          Stream.of(FILES);
      default -> Stream.of();
    };
  }

  /** The nodes of the role that a line of {@code vw files} names, or its releases there. */
  private Stream<String> files(String option, List<String> before) throws IOException {
    var arguments = arguments(Verbs.FILES, before.subList(Vw.verbPlace(before) + 1, before.size()));
    if (arguments.size() < 2) {
      return option.equals("--node") ? asking(before, api -> names(api, "nodes")) : Stream.of();
    }
    var query = QueryParameters.NONE.field("spec.role", arguments.get(1));
    var outputs = asking(before, api -> objects(api, "templateoutputs", query));
    if (option.equals("--node")) {
      return outputs.map(output -> PlainJson.text(output, "spec", "node"));
    }
    var node = value("--node", before);
    return outputs
        .filter(output -> node.isEmpty() || PlainJson.text(output, "spec", "node").equals(node))
        .flatMap(output -> PlainJson.list(output, "status", "releases").stream())
        .map(
            release -> PlainJson.text(release, "deployment") + "\t" + PlainJson.text(release, "at"))
        .distinct();
  }

  private Stream<String> flags(
      CommandSpec spec, @Nullable Verbs verb, List<String> before, String typed)
      throws IOException {
    int equals = typed.indexOf('=');
    var option = equals < 0 ? null : valued(spec, typed.substring(0, equals));
    if (option != null) {
      return values(option, verb, before).map(value -> typed.substring(0, equals + 1) + value);
    }
    return spec.options().stream()
        .map(each -> each.longestName() + "\t" + String.join(" ", each.description()))
        .sorted();
  }

  private Stream<String> arguments(
      Verbs verb, List<String> words, List<String> before, String typed) throws IOException {
    if (verb == Verbs.COMPLETION) {
      return Stream.of("bash", "zsh", "fish");
    }
    if (verb == Verbs.HELP) {
      return Stream.concat(Verbs.words().stream(), Stream.of("exit-codes"));
    }
    if (verb == Verbs.AUTH && words.isEmpty()) {
      return AuthCommands.WORDS.stream();
    }
    if (verb == Verbs.NODE) {
      return node(words, before);
    }
    if (verb == Verbs.AUDIT && words.isEmpty()) {
      return Stream.of("verify");
    }
    if (verb == Verbs.CONFIG) {
      return words.isEmpty()
          ? ConfigCommands.WORDS.stream()
          : Contexts.read(environment).all().keySet().stream();
    }
    if (verb == Verbs.TOP) {
      return Stream.of("nodes", "processes");
    }
    if (verb == Verbs.SIMULATE) {
      return Stream.of(FILES);
    }
    var arguments = arguments(verb, words);
    if (verb == Verbs.SCHEDULE) {
      return DecisionCommands.completions(arguments, FILES);
    }
    if (List.of(Verbs.EXPLAIN, Verbs.ROLLOUT, Verbs.FILES).contains(verb) && arguments.isEmpty()) {
      return switch (verb) {
        case EXPLAIN -> Stream.of("vars");
        case FILES -> FilesCommand.WORDS.stream();
        default -> RolloutCommand.WORDS.stream();
      };
    }
    if (aboutRole(verb, arguments.size())) {
      return asking(before, api -> names(api, "roleconfigs"));
    }
    if (ABOUT_NODES.contains(verb)) {
      return asking(before, api -> names(api, "nodes").filter(name -> !arguments.contains(name)));
    }
    if (verb == Verbs.ACTION && arguments.size() == 1) {
      return asking(before, api -> actions(api, arguments.get(0)));
    }
    if (verb == Verbs.SCHEDULER) {
      return words.isEmpty() ? Stream.of("test") : Stream.of(FILES);
    }
    if (!ABOUT_OBJECTS.contains(verb)) {
      return Stream.of();
    }
    return asking(before, api -> objectNames(api, arguments, typed));
  }

  private Stream<String> node(List<String> words, List<String> before) throws IOException {
    if (words.isEmpty()) {
      return NodeCommand.WORDS.stream();
    }
    return switch (words.get(0)) {
      case "elect" -> NodeCommand.ELECTORS.stream();
      case "remove", "rename" -> asking(before, api -> names(api, "nodes"));
      default -> Stream.of();
    };
  }

  private static Stream<String> objectNames(ApiClient api, List<String> arguments, String typed)
      throws IOException {
    if (!arguments.isEmpty() && arguments.get(0).indexOf('/') < 0) {
      return names(api, arguments.get(0)).filter(name -> !arguments.contains(name));
    }
    int slash = typed.indexOf('/');
    if (slash > 0) {
      var prefix = typed.substring(0, slash);
      return names(api, prefix).map(name -> prefix + "/" + name);
    }
    return types(api, typed);
  }

  private static Stream<String> actions(ApiClient api, String role) throws IOException {
    var type = api.types().meant("schedules");
    var schedule =
        type.isEmpty()
            ? Optional.<Map<String, Object>>empty()
            : api.find(type.get(), Schedule.CURRENT);
    var actions = objects(api, "actions", QueryParameters.NONE).toList();
    return RoleActions.of(role, schedule.orElse(Map.of()), actions).entrySet().stream()
        .map(each -> each.getKey() + (each.getValue().isEmpty() ? "" : "\t" + each.getValue()));
  }

  /** A question to the server. */
  private interface Question<T> {
    Stream<T> answer(ApiClient api) throws IOException;
  }

  /** Asks the server that the words before name. */
  private <T> Stream<T> asking(List<String> before, Question<T> question) throws IOException {
    var access = access(before);
    try (var transport = access.open()) {
      return question.answer(access.api(transport, TIMEOUT, line -> {})).toList().stream();
    }
  }

  private static boolean aboutRole(Verbs verb, int before) {
    return switch (verb) {
      case ACTION, WHY -> before == 0;
      case EXPLAIN, ROLLOUT, FILES -> before == 1;
      case RESTART, PURGE, VERIFY, SCALE, STOP, START -> true;
      default -> false;
    };
  }

  /** The words that are neither options nor their values. */
  private static List<String> arguments(Verbs verb, List<String> words) {
    if (words.stream().noneMatch(word -> word.startsWith("-"))) {
      return words;
    }
    var spec = verb.spec(verb.verb());
    var arguments = new ArrayList<String>();
    for (int i = 0; i < words.size(); i++) {
      if (valued(spec, words.get(i)) != null) {
        i++;
      } else if (!words.get(i).startsWith("-")) {
        arguments.add(words.get(i));
      }
    }
    return arguments;
  }

  /**
   * Types by their plural, and categories. More types may follow after a comma. A short name is its
   * own candidate.
   */
  private static Stream<String> types(ApiClient api, String typed) throws IOException {
    var done = typed.substring(0, typed.lastIndexOf(',') + 1);
    var rest = typed.substring(done.length());
    var exact =
        api.types().all().stream()
            .flatMap(type -> type.shortNames().stream())
            .filter(name -> name.equals(rest));
    var categories = api.types().all().stream().flatMap(type -> type.categories().stream());
    return Stream.of(
            api.types().all().stream().map(ResourceType::plural), exact, categories.distinct())
        .flatMap(names -> names)
        .map(name -> done + name);
  }

  private static Stream<String> names(ApiClient api, String word) throws IOException {
    var type = api.types().meant(word);
    if (type.isEmpty()) {
      return Stream.of();
    }
    return Item.of(api.list(type.get(), ApiClient.Shape.TABLE, QueryParameters.NONE)).stream()
        .map(Item::name);
  }

  private static Stream<Map<String, Object>> objects(
      ApiClient api, String word, QueryParameters query) throws IOException {
    var type = api.types().meant(word);
    if (type.isEmpty()) {
      return Stream.of();
    }
    return Item.of(api.list(type.get(), ApiClient.Shape.OBJECTS, query)).stream()
        .map(Item::content);
  }

  private ServerAccess access(List<String> words) {
    return ServerAccess.of(option -> value(option, words), environment);
  }

  /** The value of an option among incomplete words; empty if the option is absent. */
  private static String value(String option, List<String> words) {
    var value = "";
    for (int i = 0; i < words.size(); i++) {
      var word = words.get(i);
      boolean named = word.equals(option) || (word.equals("-s") && option.equals("--server"));
      if (word.startsWith(option + "=")) {
        value = word.substring(option.length() + 1);
      } else if (named && i + 1 < words.size()) {
        value = words.get(i + 1);
      }
    }
    return value;
  }
}
