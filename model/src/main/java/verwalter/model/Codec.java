package verwalter.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes objects as JSON and YAML in the Kubernetes shape. Strict when reading. */
public final class Codec {
  private static final ObjectMapper JSON = configured(JsonMapper.builder().build());
  private static final ObjectMapper YAML =
      configured(
          new ObjectMapper(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                  .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                  .build()));

  private static ObjectMapper configured(ObjectMapper mapper) {
    return mapper
        .registerModule(new Jdk8Module())
        .registerModule(new JavaTimeModule())
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .enable(DeserializationFeature.USE_LONG_FOR_INTS)
        .setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT);
  }

  /** Compact JSON, one line. */
  public static byte[] json(Resource<?, ?> resource) {
    try {
      return JSON.writeValueAsBytes(tree(resource));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** YAML as people read it. */
  public static String yaml(Resource<?, ?> resource) {
    try {
      return YAML.writeValueAsString(tree(resource));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The object as a Jackson tree: {@code apiVersion, kind, metadata, spec, status}. */
  public static ObjectNode tree(Resource<?, ?> resource) {
    var tree = JSON.createObjectNode();
    tree.put("apiVersion", Kind.API_VERSION);
    tree.put("kind", resource.type().name());
    tree.set("metadata", metadata(resource.meta()));
    tree.set("spec", JSON.valueToTree(resource.spec()));
    resource.status().ifPresent(status -> tree.set("status", JSON.valueToTree(status)));
    return tree;
  }

  private static ObjectNode metadata(Metadata meta) {
    var tree = JSON.createObjectNode();
    tree.put("name", meta.name());
    if (!meta.uid().isEmpty()) {
      tree.put("uid", meta.uid());
    }
    if (meta.version() > 0) {
      tree.put("resourceVersion", Long.toString(meta.version()));
    }
    if (meta.generation() > 0) {
      tree.put("generation", meta.generation());
    }
    meta.created().ifPresent(at -> tree.put("creationTimestamp", at.toString()));
    meta.deleted().ifPresent(at -> tree.put("deletionTimestamp", at.toString()));
    if (!meta.labels().isEmpty()) {
      tree.set("labels", JSON.valueToTree(Json.sorted(meta.labels())));
    }
    if (!meta.annotations().isEmpty()) {
      tree.set("annotations", JSON.valueToTree(Json.sorted(meta.annotations())));
    }
    if (!meta.finalizers().isEmpty()) {
      tree.set("finalizers", JSON.valueToTree(meta.finalizers()));
    }
    if (!meta.owners().isEmpty()) {
      tree.set("ownerReferences", JSON.valueToTree(meta.owners()));
    }
    return tree;
  }

  /**
   * Reads what {@link #json} wrote; for stores, which trust their own bytes.
   *
   * @throws IOException if the bytes are not such an object
   */
  public static Resource<?, ?> fromJson(byte[] json) throws IOException {
    return bind(JSON.readTree(json));
  }

  private static Resource<?, ?> bind(JsonNode tree) throws IOException {
    var kind =
        Kinds.named(tree.path("kind").asText())
            .orElseThrow(() -> new IOException("unknown kind " + tree.path("kind")));
    return bind(kind, tree);
  }

  private static <S, T> Resource<S, T> bind(Kind<S, T> kind, JsonNode tree) throws IOException {
    var meta = tree.path("metadata");
    var owners =
        meta.path("ownerReferences").isMissingNode()
            ? List.<OwnerReference>of()
            : List.of(JSON.treeToValue(meta.path("ownerReferences"), OwnerReference[].class));
    return new Resource<>(
        kind,
        new Metadata(
            meta.path("name").asText(),
            meta.path("uid").asText(""),
            meta.path("resourceVersion").asLong(0),
            meta.path("generation").asLong(0),
            texts(meta.path("labels")),
            texts(meta.path("annotations")),
            meta.path("finalizers").isMissingNode()
                ? List.of()
                : List.of(JSON.treeToValue(meta.path("finalizers"), String[].class)),
            owners,
            instant(meta.path("creationTimestamp")),
            instant(meta.path("deletionTimestamp"))),
        JSON.treeToValue(tree.path("spec"), kind.spec()),
        tree.has("status")
            ? Optional.of(JSON.treeToValue(tree.get("status"), kind.status()))
            : Optional.empty());
  }

  @SuppressWarnings("unchecked") // labels and annotations are texts
  private static Map<String, String> texts(JsonNode node) throws IOException {
    return node.isMissingNode() ? Map.of() : JSON.treeToValue(node, Map.class);
  }

  private static Optional<Instant> instant(JsonNode node) {
    return node.isTextual() ? Optional.of(Instant.parse(node.asText())) : Optional.empty();
  }

  private Codec() {}
}
