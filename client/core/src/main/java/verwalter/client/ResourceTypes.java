package verwalter.client;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import verwalter.client.json.PlainJson;

/** All types of objects of a server. */
public record ResourceTypes(List<ResourceType> all) {
  public ResourceTypes {
    all = List.copyOf(all);
  }

  /** The types of an {@code APIResourceList}, without subresources. */
  static ResourceTypes of(Object list) {
    return new ResourceTypes(
        PlainJson.list(list, "resources").stream()
            .map(resource -> ResourceType.of(PlainJson.map(resource)))
            .filter(type -> type.plural().indexOf('/') < 0)
            .toList());
  }

  /** Finds a type by its plural, singular, kind or short name, with or without the group. */
  public Optional<ResourceType> meant(String word) {
    var group = "." + ApiClient.GROUP;
    var bare = word.toLowerCase(Locale.ROOT);
    bare = bare.endsWith(group) ? bare.substring(0, bare.length() - group.length()) : bare;
    bare = bare.endsWith("." + ApiClient.VERSION) ? bare.substring(0, bare.lastIndexOf('.')) : bare;
    for (var type : all) { // a loop is faster than a stream, and every command runs it
      if (type.hasName(bare)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The types of a category such as {@code all}; empty if there is no such category. */
  public List<ResourceType> inCategory(String word) {
    var category = word.toLowerCase(Locale.ROOT);
    return all.stream()
        .filter(type -> type.categories().contains(category) && type.verbs().contains("list"))
        .toList();
  }

  /** Finds a type by its exact {@code kind}. */
  public Optional<ResourceType> kind(String kind) {
    return all.stream().filter(type -> type.kind().equals(kind)).findFirst();
  }
}
