package verwalter.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** All verbs. Only the one that is called gets built: that is most of a fast start. */
enum Verbs {
  GET("get", "Show objects, one row each"),
  DESCRIBE("describe", "Show all of an object, with its conditions and events"),
  STATUS("status", "Show on one screen how the cluster fares"),
  TOP("top", "Show what nodes and processes use"),
  APPLY("apply", "Create or change objects as files say"),
  EDIT("edit", "Change an object in your editor"),
  DELETE("delete", "Delete objects"),
  ACTION("action", "Press a button: ask the scheduler for something"),
  WHY("why", "Explain why a role runs where it does"),
  EXPLAIN("explain", "Show where the variables of a role come from"),
  ROLLOUT("rollout", "Follow what becomes of a role, and bring a release back"),
  SCHEDULE("schedule", "Look into decisions on record, and make them again"),
  SIMULATE("simulate", "Run a scheduler on a cluster that exists only here"),
  SCHEDULER("scheduler", "Run the specs of a scheduler, here and without a server"),
  API_RESOURCES("api-resources", "List the types of objects"),
  VERSION("version", "Show the versions of vw and of the server"),
  COMPLETION("completion", "Write a completion script for your shell"),
  HELP("help", "Explain a verb, or the exit codes");

  private final String word;
  private final String summary;

  Verbs(String word, String summary) {
    this.word = word;
    this.summary = summary;
  }

  String word() {
    return word;
  }

  String summary() {
    return summary;
  }

  Verb verb() {
    return switch (this) {
      case GET -> new Get();
      case DESCRIBE -> new Describe();
      case STATUS -> new Status();
      case TOP -> new Top();
      case APPLY -> new Apply();
      case EDIT -> new Edit();
      case DELETE -> new Delete();
      case ACTION -> new ActionCommand();
      case WHY -> new Why();
      case EXPLAIN -> new Explain();
      case ROLLOUT -> new Rollout();
      case SCHEDULE -> new Decisions();
      case SIMULATE -> new Simulate();
      case SCHEDULER -> new Specs();
      case API_RESOURCES -> new ApiResources();
      case VERSION -> new Version();
      case COMPLETION -> new Completion();
      case HELP -> new Help();
    };
  }

  /** Its command line: options, arguments, help. */
  CommandSpec spec(Verb verb) {
    var spec = Flags.command(word, summary);
    verb.describe(spec);
    return Flags.global(spec);
  }

  static Optional<Verbs> named(String word) {
    if (word.equals("act")) {
      return Optional.of(ACTION);
    }
    for (var each : values()) { // no stream: every start comes by here
      if (each.word.equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Verbs::word).toList();
  }
}
