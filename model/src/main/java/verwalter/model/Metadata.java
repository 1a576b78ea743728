package verwalter.model;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything the store knows about an object besides its spec and status.
 *
 * @param name unique among the objects of its kind
 * @param uid given by the store at creation: never used twice, so a recreated object differs
 * @param version the store's revision at which this state was written; 0 before the first write
 * @param generation counts the specs this object has had, from 1
 * @param labels what selectors look at
 * @param annotations notes that no selector looks at
 * @param finalizers who must still act before a deleted object may vanish
 * @param owners the object vanishes once all of them have
 * @param created when it was first written
 * @param deleted when its deletion was asked for; present only while finalizers hold it
 */
public record Metadata(
    String name,
    String uid,
    long version,
    long generation,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> finalizers,
    List<OwnerReference> owners,
    Optional<Instant> created,
    Optional<Instant> deleted) {

  public Metadata {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    finalizers = List.copyOf(finalizers);
    owners = List.copyOf(owners);
  }

  /** Metadata of an object that was not written yet. */
  public static Metadata named(String name) {
    return new Metadata(
        name,
        "",
        0,
        0,
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether deletion was asked for and only finalizers keep the object. */
  public boolean deleting() {
    return deleted.isPresent();
  }

  /** Whether {@code finalizer} still has to act. */
  public boolean has(String finalizer) {
    return finalizers.contains(finalizer);
  }

  public Metadata withVersion(long version) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  public Metadata withLabels(Map<String, String> labels) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  public Metadata withAnnotations(Map<String, String> annotations) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  public Metadata withFinalizers(List<String> finalizers) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  /** With {@code finalizer} among the finalizers, once. */
  public Metadata adding(String finalizer) {
    if (has(finalizer)) {
      return this;
    }
    var more = new ArrayList<>(finalizers);
    more.add(finalizer);
    return withFinalizers(more);
  }

  /** Without {@code finalizer}. */
  public Metadata removing(String finalizer) {
    return withFinalizers(finalizers.stream().filter(each -> !each.equals(finalizer)).toList());
  }

  public Metadata ownedBy(OwnerReference owner) {
    return new Metadata(
        name,
        uid,
        version,
        generation,
        labels,
        annotations,
        finalizers,
        List.of(owner),
        created,
        deleted);
  }

  /** Only a store calls this: what it alone decides about a write. */
  public Metadata committed(
      String uid,
      long version,
      long generation,
      Optional<Instant> created,
      Optional<Instant> deleted) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  ObjectMeta toObjectMeta() {
    return new ObjectMetaBuilder()
        .withName(name)
        .withUid(uid.isEmpty() ? null : uid)
        .withResourceVersion(version == 0 ? null : Long.toString(version))
        .withGeneration(generation == 0 ? null : generation)
        .withCreationTimestamp(created.map(Instant::toString).orElse(null))
        .withDeletionTimestamp(deleted.map(Instant::toString).orElse(null))
        .withLabels(labels)
        .withAnnotations(annotations)
        .withFinalizers(finalizers)
        .withOwnerReferences(owners.stream().map(Metadata::toReference).toList())
        .build();
  }

  private static io.fabric8.kubernetes.api.model.OwnerReference toReference(OwnerReference owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(owner.apiVersion())
        .withKind(owner.kind())
        .withName(owner.name())
        .withUid(owner.uid())
        .build();
  }
}
