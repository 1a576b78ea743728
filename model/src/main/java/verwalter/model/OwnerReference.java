package verwalter.model;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * A reference to an owner. When all owners of an object are removed, the object is removed too.
 *
 * @param kind kind of the owner
 * @param name name of the owner
 * @param uid uid of the owner, since another object may get the same name later
 */
@JsonPropertyOrder({"apiVersion", "kind", "name", "uid"})
@JsonIgnoreProperties({"controller", "blockOwnerDeletion"})
public record OwnerReference(String kind, String name, String uid) {
  /** Creates a reference to {@code owner}. */
  public static OwnerReference to(Resource<?, ?> owner) {
    return new OwnerReference(owner.type().name(), owner.meta().name(), owner.meta().uid());
  }

  /** Always {@link Kind#API_VERSION}, since owners are objects of Verwalter. */
  @JsonProperty
  public String apiVersion() {
    return Kind.API_VERSION;
  }

  /** The key of the owner. */
  public ResourceKey key() {
    return new ResourceKey(kind, name);
  }
}
