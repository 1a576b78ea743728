package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import verwalter.client.ResourceType;

/**
 * The objects that a command names: all of a type, or some by name.
 *
 * @param names empty for all
 */
record Target(ResourceType type, List<String> names) {
  Target {
    names = List.copyOf(names);
  }

  /**
   * Reads {@code TYPE[,TYPE] [NAME...]} or {@code TYPE/NAME...}; a type may also be a category such
   * as {@code all}.
   */
  static List<Target> of(List<String> words, Session session, String verb) throws IOException {
    if (words.isEmpty()) {
      throw Failure.usage(
          "a type is missing: vw " + verb + " TYPE [NAME...]", "list the types: vw api-resources");
    }
    return words.get(0).indexOf('/') >= 0
        ? slashed(words, session, verb)
        : separate(words, session);
  }

  private static List<Target> slashed(List<String> words, Session session, String verb)
      throws IOException {
    var targets = new ArrayList<Target>();
    for (var word : words) {
      int slash = word.indexOf('/');
      if (slash < 1 || slash == word.length() - 1) {
        throw Failure.usage(
            "\"" + word + "\" is not of the form TYPE/NAME; use one form for all",
            "vw " + verb + " TYPE/NAME TYPE/NAME");
      }
      var type = session.type(word.substring(0, slash));
      var name = word.substring(slash + 1);
      int last = targets.size() - 1;
      if (last >= 0 && targets.get(last).type.equals(type)) {
        var names = new ArrayList<>(targets.get(last).names);
        names.add(name);
        targets.set(last, new Target(type, names));
      } else {
        targets.add(new Target(type, List.of(name)));
      }
    }
    return targets;
  }

  private static List<Target> separate(List<String> words, Session session) throws IOException {
    var names = words.subList(1, words.size());
    for (var name : names) {
      if (name.indexOf('/') >= 0) {
        throw Failure.usage(
            "\"%s\" has a slash, but \"%s\" has none: use one form for all"
                .formatted(name, words.get(0)),
            "");
      }
    }
    var targets = new ArrayList<Target>();
    for (var word : words.get(0).split(",", -1)) {
      if (!word.isEmpty()) {
        for (var type : session.types(word)) {
          if (targets.stream().noneMatch(target -> target.type.equals(type))) {
            targets.add(new Target(type, names));
          }
        }
      }
    }
    return targets;
  }
}
