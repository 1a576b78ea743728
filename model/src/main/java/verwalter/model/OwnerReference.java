package verwalter.model;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Names the object without which this one has no reason to exist: when the owner with that uid is
 * gone, this one is removed too.
 *
 * @param kind kind of the owner
 * @param name name of the owner
 * @param uid uid of the owner, so that a namesake does not count
 */
@JsonPropertyOrder({"apiVersion", "kind", "name", "uid"})
@JsonIgnoreProperties({"controller", "blockOwnerDeletion"})
public record OwnerReference(String kind, String name, String uid) {
  /** A reference to {@code owner} as it stands in the store. */
  public static OwnerReference to(Resource<?, ?> owner) {
    return new OwnerReference(owner.type().name(), owner.meta().name(), owner.meta().uid());
  }

  /** Always {@link Kind#API_VERSION}: owners are our own objects. */
  @JsonProperty
  public String apiVersion() {
    return Kind.API_VERSION;
  }

  /** The key of the owner. */
  public ResourceKey key() {
    return new ResourceKey(kind, name);
  }
}
