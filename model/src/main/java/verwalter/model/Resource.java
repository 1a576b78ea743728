package verwalter.model;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import verwalter.model.codec.Codec;

/**
 * An object with its desired state (spec) and its observed state (status).
 *
 * <p>It implements fabric8's {@link HasMetadata} and has the shape of Kubernetes objects. It is
 * immutable and may be shared between threads. {@link Codec} reads and writes it.
 */
public record Resource<S, T>(Kind<S, T> type, Metadata meta, S spec, Optional<T> status)
    implements HasMetadata {

  /** Creates an object that was not written yet. */
  public static <S, T> Resource<S, T> of(Kind<S, T> type, String name, S spec) {
    return new Resource<>(type, Metadata.named(name), spec, Optional.empty());
  }

  public ResourceKey key() {
    return type.key(meta.name());
  }

  public String name() {
    return meta.name();
  }

  public Resource<S, T> withMeta(Metadata meta) {
    return new Resource<>(type, meta, spec, status);
  }

  public Resource<S, T> withSpec(S spec) {
    return new Resource<>(type, meta, spec, status);
  }

  public Resource<S, T> withStatus(T status) {
    return new Resource<>(type, meta, spec, Optional.of(status));
  }

  /** Whether both objects are equal except for their versions. */
  public boolean sameAs(Resource<?, ?> other) {
    return type.equals(other.type)
        && spec.equals(other.spec)
        && status.equals(other.status)
        && meta.withVersion(0).equals(other.meta.withVersion(0));
  }

  @Override
  public String getKind() {
    return type.name();
  }

  @Override
  public String getApiVersion() {
    return Kind.API_VERSION;
  }

  /** Returns a new copy. Changes of the copy do not affect this object. */
  @Override
  public ObjectMeta getMetadata() {
    return meta.toObjectMeta();
  }

  @Override
  public void setMetadata(ObjectMeta metadata) {
    throw new UnsupportedOperationException("resources are immutable");
  }

  @Override
  public void setApiVersion(String version) {
    throw new UnsupportedOperationException("resources are immutable");
  }
}
