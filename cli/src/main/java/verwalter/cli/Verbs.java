package verwalter.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** All verbs. Only the one that is called gets built: that is most of a fast start. */
enum Verbs {
  GET("get", "Show objects, one row each", Get::new),
  DESCRIBE("describe", "Show all of an object, with its conditions and events", Describe::new),
  STATUS("status", "Show on one screen how the cluster fares", Status::new),
  APPLY("apply", "Create or change objects as files say", Apply::new),
  EDIT("edit", "Change an object in your editor", Edit::new),
  DELETE("delete", "Delete objects", Delete::new),
  API_RESOURCES("api-resources", "List the types of objects", ApiResources::new),
  VERSION("version", "Show the versions of vw and of the server", Version::new),
  COMPLETION("completion", "Write a completion script for your shell", Completion::new),
  HELP("help", "Explain a verb, or the exit codes", Help::new);

  private final String word;
  private final String summary;
  private final Supplier<Verb> maker;

  Verbs(String word, String summary, Supplier<Verb> maker) {
    this.word = word;
    this.summary = summary;
    this.maker = maker;
  }

  String word() {
    return word;
  }

  String summary() {
    return summary;
  }

  Verb verb() {
    return maker.get();
  }

  /** Its command line: options, arguments, help. */
  CommandSpec spec(Verb verb) {
    var spec = Flags.command(word, summary);
    verb.describe(spec);
    return Flags.global(spec);
  }

  static Optional<Verbs> named(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Verbs::word).toList();
  }
}
