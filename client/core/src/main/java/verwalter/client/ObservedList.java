package verwalter.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects received by lists and watches. It removes duplicates, so that each version of an
 * object is reported once even if connections break.
 */
public final class ObservedList<V> {
  private final Function<V, String> identity;
  private final Function<V, String> version;
  private final Map<String, V> known = new LinkedHashMap<>();

  /**
   * The differences between a list and the known objects.
   *
   * @param gone known objects that are not in the list
   * @param changed objects that are new or have another version, with their previous versions
   */
  public record Difference<V>(List<V> gone, List<Changed<V>> changed) {}

  /** A changed object; {@code before} is empty for a new object. */
  public record Changed<V>(Optional<V> before, V now) {}

  /**
   * @param identity returns a unique identifier of an object, such as the uid
   * @param version returns the version of an object; an empty version counts as a change
   */
  public ObservedList(Function<V, String> identity, Function<V, String> version) {
    this.identity = identity;
    this.version = version;
  }

  /** Adds a list of all objects. */
  public Difference<V> listed(Collection<V> all) {
    var before = new LinkedHashMap<>(known);
    known.clear();
    var changed = new ArrayList<Changed<V>>();
    for (var each : all) {
      var last = Optional.ofNullable(before.remove(identity.apply(each)));
      known.put(identity.apply(each), each);
      if (isNew(last, each)) {
        changed.add(new Changed<>(last, each));
      }
    }
    return new Difference<>(List.copyOf(before.values()), changed);
  }

  /** Adds an object that was created or changed. Returns empty if the version is known. */
  public Optional<Changed<V>> changed(V object) {
    var last = Optional.ofNullable(known.put(identity.apply(object), object));
    return isNew(last, object) ? Optional.of(new Changed<>(last, object)) : Optional.empty();
  }

  /** Removes a deleted object. Returns empty if it is not known. */
  public Optional<V> deleted(V object) {
    return Optional.ofNullable(known.remove(identity.apply(object)));
  }

  private boolean isNew(Optional<V> last, V object) {
    var now = version.apply(object);
    return last.isEmpty() || now.isEmpty() || !now.equals(version.apply(last.get()));
  }
}
