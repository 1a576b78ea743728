package verwalter.cluster.sides;

import java.util.ArrayList;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ResourceKey;

/**
 * Which writes of forks a log contains, so that each is merged once. Stored as an annotation of the
 * schedule in force.
 *
 * @param known up to which revision the writes of each term were merged
 * @param united the terms whose actions were merged, all of them
 * @param removed the objects that a merge removed, with the write of the removal
 */
public record MergedForks(
    SortedMap<ForkId, Long> known,
    SortedSet<ForkId> united,
    SortedMap<ResourceKey, Stamp> removed) {
  /** The annotation. */
  public static final String ANNOTATION = "verwalter.io/merged-forks";

  /** Nothing was merged. */
  public static final MergedForks NONE =
      new MergedForks(new TreeMap<>(), new TreeSet<>(), new TreeMap<>());

  public MergedForks {
    known = Collections.unmodifiableSortedMap(known);
    united = Collections.unmodifiableSortedSet(united);
    removed = Collections.unmodifiableSortedMap(removed);
  }

  /** Whether the log contains the write, or one that replaced it. */
  public boolean covers(Stamp stamp) {
    return known.getOrDefault(stamp.fork(), 0L) >= stamp.revision();
  }

  MergedForks with(Fork fork, SortedMap<ResourceKey, Stamp> removals) {
    var all = new TreeMap<>(known);
    fork.known().forEach((term, revision) -> all.merge(term, revision, Math::max));
    var ended = new TreeSet<>(united);
    ended.addAll(fork.closed());
    return new MergedForks(all, ended, removals);
  }

  /** The value of the annotation. */
  public String text() {
    var terms = new TreeSet<>(known.keySet());
    terms.addAll(united);
    var parts = new ArrayList<String>();
    terms.forEach(
        term ->
            parts.add(
                "%s=%d%s"
                    .formatted(
                        term, known.getOrDefault(term, 0L), united.contains(term) ? "!" : "")));
    removed.forEach((key, stamp) -> parts.add("~%s=%s".formatted(key, stamp)));
    return String.join(",", parts);
  }

  /**
   * Reads the annotation.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static MergedForks parse(String text) {
    var known = new TreeMap<ForkId, Long>();
    var united = new TreeSet<ForkId>();
    var removed = new TreeMap<ResourceKey, Stamp>();
    for (var part : text.split(",", -1)) {
      int equals = part.lastIndexOf('=');
      int slash = part.indexOf('/');
      if (part.isEmpty()) {
        continue;
      }
      if (equals < 0 || (part.startsWith("~") && slash < 0)) {
        throw new IllegalArgumentException("not a write of a fork: " + part);
      }
      if (part.startsWith("~")) {
        removed.put(
            new ResourceKey(part.substring(1, slash), part.substring(slash + 1, equals)),
            Stamp.parse(part.substring(equals + 1)));
        continue;
      }
      boolean ended = part.endsWith("!");
      var revision = part.substring(equals + 1, part.length() - (ended ? 1 : 0));
      var term = Stamp.parse(part.substring(0, equals) + "." + revision);
      known.put(term.fork(), term.revision());
      if (ended) {
        united.add(term.fork());
      }
    }
    return new MergedForks(known, united, removed);
  }
}
