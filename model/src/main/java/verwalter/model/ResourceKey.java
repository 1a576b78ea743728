package verwalter.model;

/**
 * Identifies an object.
 *
 * @param kind name of its kind, such as {@code Node}
 * @param name unique among the objects of its kind
 */
public record ResourceKey(String kind, String name) implements Comparable<ResourceKey> {
  @Override
  public int compareTo(ResourceKey other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return kind + "/" + name;
  }
}
