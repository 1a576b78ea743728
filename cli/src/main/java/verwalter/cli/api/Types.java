package verwalter.cli.api;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import verwalter.cli.json.Json;

/** All types a server has. */
public record Types(List<Type> all) {
  public Types {
    all = List.copyOf(all);
  }

  /** The types of an {@code APIResourceList}; subresources are none. */
  static Types of(Object list) {
    return new Types(
        Json.list(list, "resources").stream()
            .map(resource -> Type.of(Json.map(resource)))
            .filter(type -> type.plural().indexOf('/') < 0)
            .toList());
  }

  /** The type a word means: plural, singular, kind or short name, also with the group after it. */
  public Optional<Type> meant(String word) {
    var group = "." + Api.GROUP;
    var bare = word.toLowerCase(Locale.ROOT);
    bare = bare.endsWith(group) ? bare.substring(0, bare.length() - group.length()) : bare;
    bare = bare.endsWith("." + Api.VERSION) ? bare.substring(0, bare.lastIndexOf('.')) : bare;
    for (var type : all) { // no stream: every start comes by here
      if (type.answersTo(bare)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The types a category has, such as {@code all}; empty if there is no such category. */
  public List<Type> inCategory(String word) {
    var category = word.toLowerCase(Locale.ROOT);
    return all.stream()
        .filter(type -> type.categories().contains(category) && type.verbs().contains("list"))
        .toList();
  }

  /** The type of that exact {@code kind:}. */
  public Optional<Type> kind(String kind) {
    return all.stream().filter(type -> type.kind().equals(kind)).findFirst();
  }
}
