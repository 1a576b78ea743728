package verwalter.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects that a list and the watch after it have shown, so that each version of an object
 * counts once, however often the connection breaks.
 */
public final class ObservedList<V> {
  private final Function<V, String> identity;
  private final Function<V, String> version;
  private final Map<String, V> known = new LinkedHashMap<>();

  /**
   * What a list shows that was not known.
   *
   * @param gone objects that are no longer in it
   * @param changed objects that are new or have another version, each with the one before
   */
  public record Difference<V>(List<V> gone, List<Changed<V>> changed) {}

  /** An object of another version than before; {@code before} is empty for a new object. */
  public record Changed<V>(Optional<V> before, V now) {}

  /**
   * @param identity what no other object has, such as the uid
   * @param version the object's version; empty when it has none, which counts as a change
   */
  public ObservedList(Function<V, String> identity, Function<V, String> version) {
    this.identity = identity;
    this.version = version;
  }

  /** Takes a list of all objects. */
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

  /** Takes one object that was created or changed; empty if that version is known. */
  public Optional<Changed<V>> changed(V object) {
    var last = Optional.ofNullable(known.put(identity.apply(object), object));
    return isNew(last, object) ? Optional.of(new Changed<>(last, object)) : Optional.empty();
  }

  /** Takes one object that was deleted; empty if it is not known. */
  public Optional<V> deleted(V object) {
    return Optional.ofNullable(known.remove(identity.apply(object)));
  }

  private boolean isNew(Optional<V> last, V object) {
    var now = version.apply(object);
    return last.isEmpty() || now.isEmpty() || !now.equals(version.apply(last.get()));
  }
}
