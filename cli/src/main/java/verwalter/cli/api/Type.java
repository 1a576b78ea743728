package verwalter.cli.api;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.cli.json.Json;

/**
 * One kind of object, as discovery tells of it.
 *
 * @param plural its name in paths, such as {@code nodes}
 * @param singular what operators read, such as {@code node}
 * @param kind what {@code kind:} fields read, such as {@code Node}
 * @param categories words that mean several types at once, such as {@code all}
 */
public record Type(
    String plural,
    String singular,
    String kind,
    List<String> shortNames,
    List<String> categories,
    boolean namespaced,
    List<String> verbs) {

  static Type of(Map<String, Object> resource) {
    return new Type(
        Json.text(resource, "name"),
        Json.text(resource, "singularName"),
        Json.text(resource, "kind"),
        texts(resource, "shortNames"),
        texts(resource, "categories"),
        Boolean.TRUE.equals(resource.get("namespaced")),
        texts(resource, "verbs"));
  }

  /** What stands before the slash in {@code node/x}. */
  public String prefix() {
    return singular.isEmpty() ? plural : singular;
  }

  /** Whether a word means this type, in any case. */
  boolean answersTo(String word) {
    boolean shortly = false;
    for (var each : shortNames) {
      shortly |= word.equalsIgnoreCase(each);
    }
    return shortly
        || word.equalsIgnoreCase(plural)
        || word.equalsIgnoreCase(singular)
        || word.equalsIgnoreCase(kind);
  }

  /** Every word that means this type, all of them in lower case but the kind. */
  public Stream<String> words() {
    return Stream.concat(Stream.of(plural, singular, kind), shortNames.stream())
        .filter(word -> !word.isEmpty());
  }

  private static List<String> texts(Map<String, Object> resource, String name) {
    return Json.list(resource, name).stream().map(String::valueOf).toList();
  }
}
