package verwalter.model;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import verwalter.model.codec.Codec;

/**
 * One object: what we want (spec) and what we saw (status).
 *
 * <p>To the outside it is a fabric8 {@link HasMetadata} and reads like Kubernetes YAML; inside it
 * is immutable, so any thread may hold any version for as long as it likes. {@link Codec} reads and
 * writes it.
 */
public record Resource<S, T>(Kind<S, T> type, Metadata meta, S spec, Optional<T> status)
    implements HasMetadata {

  /** An object that was not written yet. */
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

  /** Whether both say the same: spec, status, labels, finalizers and the rest, but not versions. */
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

  /** A fresh copy each time: changing it changes nothing here. */
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
