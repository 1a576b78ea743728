package verwalter.model.codec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import verwalter.model.Metadata;
import verwalter.model.OwnerReference;
import verwalter.model.json.Json;

/**
 * {@link Metadata} in the shape of Kubernetes. Fields without a meaning in Verwalter are accepted
 * and ignored.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties({
  "namespace",
  "managedFields",
  "selfLink",
  "generateName",
  "deletionGracePeriodSeconds"
})
@JsonPropertyOrder({
  "name",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences"
})
record MetadataFields(
    String name,
    Optional<String> uid,
    Optional<String> resourceVersion,
    Optional<Long> generation,
    Optional<Instant> creationTimestamp,
    Optional<Instant> deletionTimestamp,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> finalizers,
    List<OwnerReference> ownerReferences) {

  MetadataFields {
    name = Objects.requireNonNullElse(name, ""); // JSON without a name; stores refuse it
  }

  static MetadataFields of(Metadata meta) {
    return new MetadataFields(
        meta.name(),
        Optional.of(meta.uid()).filter(uid -> !uid.isEmpty()),
        Optional.of(meta.version()).filter(version -> version > 0).map(Object::toString),
        Optional.of(meta.generation()).filter(generation -> generation > 0),
        meta.created(),
        meta.deleted(),
        Json.sorted(meta.labels()),
        Json.sorted(meta.annotations()),
        meta.finalizers(),
        meta.owners());
  }

  /**
   * @throws NumberFormatException if the resource version is not a number
   */
  Metadata metadata() {
    return new Metadata(
        name,
        uid.orElse(""),
        resourceVersion.filter(text -> !text.isEmpty()).map(Long::parseLong).orElse(0L),
        generation.orElse(0L),
        labels,
        annotations,
        finalizers,
        ownerReferences,
        creationTimestamp,
        deletionTimestamp);
  }
}
