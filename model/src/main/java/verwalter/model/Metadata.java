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
 * The metadata of an object: everything except its spec and status.
 *
 * @param name unique among the objects of its kind
 * @param uid assigned by the store at creation and never reused, so that a recreated object has
 *     another one
 * @param version the store's revision at which this state was written; 0 before the first write
 * @param generation number of the present spec, counted from 1
 * @param labels key-value pairs that selectors match
 * @param annotations key-value pairs that selectors do not match
 * @param finalizers cleanups that must finish before a deleted object is removed
 * @param owners the object is removed once all of its owners are removed
 * @param created when the object was created
 * @param deleted when deletion was requested; present only while there are finalizers
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

  /** Creates the metadata of an object that was not written yet. */
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

  /** Whether deletion was requested and finalizers are not done yet. */
  public boolean deleting() {
    return deleted.isPresent();
  }

  /** Whether the object has this finalizer. */
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

  /** Returns a copy with {@code finalizer}. */
  public Metadata adding(String finalizer) {
    if (has(finalizer)) {
      return this;
    }
    var more = new ArrayList<>(finalizers);
    more.add(finalizer);
    return withFinalizers(more);
  }

  /** Returns a copy without {@code finalizer}. */
  public Metadata removing(String finalizer) {
    return withFinalizers(finalizers.stream().filter(each -> !each.equals(finalizer)).toList());
  }

  public Metadata ownedBy(OwnerReference owner) {
    return withOwners(List.of(owner));
  }

  public Metadata withOwners(List<OwnerReference> owners) {
    return new Metadata(
        name, uid, version, generation, labels, annotations, finalizers, owners, created, deleted);
  }

  /** Sets the fields that the store assigns to a write. For stores only. */
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
