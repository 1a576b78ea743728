package verwalter.client;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.client.json.PlainJson;

/**
 * A type of objects from the server's discovery.
 *
 * @param plural its name in paths, such as {@code nodes}
 * @param singular its name in messages, such as {@code node}
 * @param kind the value of {@code kind:} fields, such as {@code Node}
 * @param categories names of several types at once, such as {@code all}
 */
public record ResourceType(
    String plural,
    String singular,
    String kind,
    List<String> shortNames,
    List<String> categories,
    boolean namespaced,
    List<String> verbs) {

  static ResourceType of(Map<String, Object> resource) {
    return new ResourceType(
        PlainJson.text(resource, "name"),
        PlainJson.text(resource, "singularName"),
        PlainJson.text(resource, "kind"),
        texts(resource, "shortNames"),
        texts(resource, "categories"),
        Boolean.TRUE.equals(resource.get("namespaced")),
        texts(resource, "verbs"));
  }

  /** The part before the slash in {@code node/x}. */
  public String prefix() {
    return singular.isEmpty() ? plural : singular;
  }

  /** Whether {@code word} is a name of this type, ignoring case. */
  boolean hasName(String word) {
    boolean shortly = false;
    for (var each : shortNames) {
      shortly |= word.equalsIgnoreCase(each);
    }
    return shortly
        || word.equalsIgnoreCase(plural)
        || word.equalsIgnoreCase(singular)
        || word.equalsIgnoreCase(kind);
  }

  /** All names of this type. All but the kind are in lower case. */
  public Stream<String> words() {
    return Stream.concat(Stream.of(plural, singular, kind), shortNames.stream())
        .filter(word -> !word.isEmpty());
  }

  private static List<String> texts(Map<String, Object> resource, String name) {
    return PlainJson.list(resource, name).stream().map(String::valueOf).toList();
  }
}
