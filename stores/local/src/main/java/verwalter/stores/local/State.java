package verwalter.stores.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.OwnerReference;
import verwalter.model.ResourceKey;

/**
 * All objects as they stood at one revision.
 *
 * @param kinds the objects by kind, then by name
 * @param dependents which objects name an owner, by the owner's uid, then by their own key
 * @param bytes of all objects together, as JSON
 */
record State(long revision, Tree<Tree<Stored>> kinds, Tree<ResourceKey> dependents, long bytes) {
  static final State EMPTY = new State(0, Tree.empty(), Tree.empty(), 0);

  /** A state of these objects, by kind and name. */
  static State of(long revision, Map<String, Map<String, Stored>> objects) {
    var kinds = new ArrayList<Map.Entry<String, Tree<Stored>>>();
    var dependents = new ArrayList<Map.Entry<String, ResourceKey>>();
    objects.forEach(
        (kind, named) -> {
          if (!named.isEmpty()) {
            kinds.add(Map.entry(kind, sorted(new ArrayList<>(named.entrySet()))));
          }
          for (var each : named.values()) {
            for (var owner : each.owners()) {
              dependents.add(Map.entry(link(owner, each.key()), each.key()));
            }
          }
        });
    long bytes =
        objects.values().stream()
            .flatMap(named -> named.values().stream())
            .mapToLong(Stored::bytes)
            .sum();
    return new State(revision, sorted(kinds), sorted(dependents), bytes);
  }

  private static <V> Tree<V> sorted(List<Map.Entry<String, V>> entries) {
    entries.sort(Map.Entry.comparingByKey());
    return Tree.sorted(entries);
  }

  Tree<Stored> kind(String name) {
    var found = kinds.find(name);
    return found == null ? Tree.empty() : found;
  }

  @Nullable Stored find(ResourceKey key) {
    return kind(key.kind()).find(key.name());
  }

  int size() {
    return kinds.values().stream().mapToInt(Tree::size).sum();
  }

  /** With {@code next} in the place of whatever bears its key. */
  State with(Stored next) {
    var key = next.key();
    var before = find(key);
    var links = dependents;
    var owners = next.owners();
    if (before == null || !before.owners().equals(owners)) {
      links = before == null ? links : unlinked(links, before);
      for (var owner : owners) {
        links = links.with(link(owner, key), key);
      }
    }
    var named = kind(key.kind()).with(key.name(), next);
    long freed = before == null ? 0 : before.bytes();
    return new State(revision, kinds.with(key.kind(), named), links, bytes - freed + next.bytes());
  }

  State without(Stored gone) {
    var key = gone.key();
    var named = kind(key.kind()).without(key.name());
    return new State(
        revision,
        named.size() == 0 ? kinds.without(key.kind()) : kinds.with(key.kind(), named),
        unlinked(dependents, gone),
        bytes - gone.bytes());
  }

  State at(long next) {
    return new State(next, kinds, dependents, bytes);
  }

  /** The objects that name the owner with this uid. */
  List<ResourceKey> dependentsOf(String uid) {
    var found = new ArrayList<ResourceKey>();
    var prefix = uid + '\0';
    dependents.visitAfter(
        prefix, (link, dependent) -> link.startsWith(prefix) && found.add(dependent));
    return found;
  }

  /** Whether the owner meant is there, and not another object with its name. */
  boolean has(OwnerReference owner) {
    var found = find(owner.key());
    return found != null && found.uid().equals(owner.uid());
  }

  private static Tree<ResourceKey> unlinked(Tree<ResourceKey> links, Stored object) {
    for (var owner : object.owners()) {
      links = links.without(link(owner, object.key()));
    }
    return links;
  }

  private static String link(OwnerReference owner, ResourceKey dependent) {
    return owner.uid() + '\0' + dependent;
  }
}
