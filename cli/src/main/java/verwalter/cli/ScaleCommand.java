package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.RoleIntent;

/**
 * {@code vw scale}, {@code vw stop} and {@code vw start}: want other numbers of processes of a
 * service than its file says, until the file changes them.
 */
final class ScaleCommand implements Verb {
  private static final Pattern WISH = Pattern.compile("([^/=]+)(?:/([^/=]+))?=([0-9]{1,6})");

  /** What the verb does. */
  private enum Change {
    SCALE,
    STOP,
    START
  }

  private final Change wanted;

  private ScaleCommand(Change wanted) {
    this.wanted = wanted;
  }

  static ScaleCommand scale() {
    return new ScaleCommand(Change.SCALE);
  }

  static ScaleCommand stop() {
    return new ScaleCommand(Change.STOP);
  }

  static ScaleCommand start() {
    return new ScaleCommand(Change.START);
  }

  @Override
  public void describe(CommandSpec spec) {
    switch (wanted) {
      case SCALE ->
          Flags.help(
              spec,
              "vw scale ROLE[/PROCESS]=N... [flags]",
              "Run five processes of a service that has one kind of process",
              "vw scale docs=5",
              "Run two workers of a service",
              "vw scale shop/worker=2",
              "Go back to the numbers of the file",
              "vw start shop");
      case STOP ->
          Flags.help(
              spec,
              "vw stop ROLE... [flags]",
              "Stop all processes of a service; its file stays",
              "vw stop docs");
      case START ->
          Flags.help(
              spec,
              "vw start ROLE... [flags]",
              "Run the processes of a service as its file says, after vw stop or vw scale",
              "vw start docs");
    }
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw Failure.usage(
          "which service? give its name",
          wanted == Change.SCALE ? "vw scale docs=5" : "list them: vw get roleconfigs");
    }
    for (var word : words) {
      if (wanted == Change.SCALE) {
        scale(word, session);
      } else {
        all(word, session);
      }
    }
    return Exit.OK;
  }

  private static RoleIntents service(String word, Session session) throws IOException {
    var intents = RoleIntents.of(session, word);
    if (intents.processes().isEmpty()) {
      throw Failure.error(
          "role %s is no service in one file; its scheduler chooses its numbers"
              .formatted(intents.role()),
          "its actions: vw action %s --help".formatted(intents.role()));
    }
    return intents.requireFollowed("scale");
  }

  private static void scale(String word, Session session) throws IOException {
    var wish = WISH.matcher(word);
    if (!wish.matches()) {
      throw Failure.usage(
          "scale takes ROLE=N or ROLE/PROCESS=N, not \"" + word + "\"", "vw scale docs=5");
    }
    var intents = service(wish.group(1), session);
    var processes = intents.processes();
    if (wish.group(2) == null && processes.size() > 1) {
      throw Failure.usage(
          "%s has several kinds of process: %s"
              .formatted(intents.role(), String.join(", ", processes)),
          "vw scale %s/%s=%s".formatted(intents.role(), processes.get(0), wish.group(3)));
    }
    var process = wish.group(2) == null ? processes.get(0) : wish.group(2);
    if (!processes.contains(process)) {
      throw Failure.error(
          "%s has no process \"%s\"".formatted(intents.role(), process),
          "it has " + String.join(", ", processes));
    }
    intents.change(
        Map.of(
            RoleIntent.SCALE + process,
            Optional.of(Integer.toString(Integer.parseInt(wish.group(3))))));
    session.say(
        "role/%s: %s of %s, until the file changes that number or vw start %s"
            .formatted(intents.role(), wish.group(3), process, intents.role()));
  }

  private void all(String word, Session session) throws IOException {
    var intents = service(word, session);
    var changes = new LinkedHashMap<String, Optional<String>>();
    if (wanted == Change.STOP) {
      for (var process : intents.processes()) {
        changes.put(RoleIntent.SCALE + process, Optional.of("0"));
      }
    } else {
      for (var name : new ArrayList<>(intents.present().keySet())) {
        if (name.startsWith(RoleIntent.SCALE)) {
          changes.put(name, Optional.empty());
        }
      }
      if (changes.isEmpty()) {
        session.say("role/%s runs as its file says already".formatted(intents.role()));
        return;
      }
    }
    intents.change(changes);
    session.say(
        wanted == Change.STOP
            ? "role/%s stops: it has no processes until vw start %s, or until the file changes their numbers"
                .formatted(intents.role(), intents.role())
            : "role/%s runs as its file says".formatted(intents.role()));
  }
}
