package verwalter.client.objects;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.model.Resource;

/** The object that a deletion expects. The server refuses to delete another one with a conflict. */
public record Precondition(Optional<String> uid, OptionalLong version) {
  /** Any object with the name. */
  public static final Precondition NONE = new Precondition(Optional.empty(), OptionalLong.empty());

  /** This object, in any version. */
  public static Precondition uid(Resource<?, ?> object) {
    return new Precondition(Optional.of(object.meta().uid()), OptionalLong.empty());
  }

  /** This version of this object. */
  public static Precondition version(Resource<?, ?> object) {
    return new Precondition(
        Optional.of(object.meta().uid()), OptionalLong.of(object.meta().version()));
  }

  Map<String, Object> options() {
    var conditions = new LinkedHashMap<String, Object>();
    uid.ifPresent(it -> conditions.put("uid", it));
    version.ifPresent(it -> conditions.put("resourceVersion", Long.toString(it)));
    return Map.of(
        "apiVersion", "v1", "kind", "DeleteOptions", "preconditions", Map.copyOf(conditions));
  }
}
