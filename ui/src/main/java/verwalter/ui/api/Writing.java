package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;

/** Computes the object that a request body asks for. Pure, and the same for dry runs. */
final class Writing {
  /** Fields that clients send and the server ignores. */
  private static final List<String> IGNORED =
      List.of("managedFields", "selfLink", "creationTimestamp", "deletionTimestamp", "generation");

  /** The characters after {@code generateName}, as in Kubernetes: without vowels. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int RANDOM = 5;
  private static final int LONGEST_PREFIX = 58;

  /** The part of an object that a request changes. */
  enum Part {
    /** Everything except the status. */
    MAIN,
    /** Only the status. */
    STATUS
  }

  /** The object to create, without a status. */
  static <S, T> Resource<S, T> created(Kind<S, T> kind, JsonNode body, RandomGenerator chance) {
    var tree = object(kind, body);
    var meta = tree.withObject("/metadata");
    name(meta, chance);
    var name = meta.path("name").asText("");
    if (name.isEmpty()) {
      throw RequestProblem.invalid(
          kind, "", "metadata.name", "is required: name or generateName must be given");
    }
    if (!Names.isValid(name)) {
      throw RequestProblem.invalid(kind, name, "metadata.name", "must be " + Names.RULE);
    }
    if (!meta.path("resourceVersion").asText("").isEmpty()) {
      throw RequestProblem.badRequest(
          "metadata.resourceVersion must not be set on an object to create");
    }
    meta.remove("uid");
    tree.remove("status");
    return bounded(Decoding.read(kind, tree));
  }

  /** Makes a name of the prefix {@code generateName}, if there is no name. */
  private static void name(ObjectNode meta, RandomGenerator chance) {
    var prefix = meta.path("generateName").asText("");
    if (prefix.isEmpty() || !meta.path("name").asText("").isEmpty()) {
      meta.remove("generateName");
      return;
    }
    var name = new StringBuilder(prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX)));
    for (int i = 0; i < RANDOM; i++) {
      name.append(LETTERS.charAt(chance.nextInt(LETTERS.length())));
    }
    meta.put("name", name.toString());
    meta.remove("generateName");
  }

  /** The object that a dry run returns instead of storing it. */
  static <S, T> Resource<S, T> asIfStored(
      Resource<S, T> resource, Instant now, RandomGenerator chance) {
    var meta = resource.meta();
    return resource.withMeta(
        new Metadata(
            meta.name(),
            new UUID(chance.nextLong(), chance.nextLong()).toString(),
            0,
            1,
            meta.labels(),
            meta.annotations(),
            meta.finalizers(),
            meta.owners(),
            Optional.of(now),
            meta.deleted()));
  }

  /** The object with one part replaced by that of the body. */
  static <S, T> Resource<S, T> replaced(Resource<S, T> current, JsonNode body, Part part) {
    var kind = current.type();
    var tree = object(kind, body);
    var meta = tree.withObject("/metadata");
    var name = meta.path("name").asText("");
    if (!name.equals(current.name())) {
      throw RequestProblem.badRequest(
          "the name of the object (%s) does not match the name in the URL (%s)"
              .formatted(name, current.name()));
    }
    long version = version(kind, name, meta);
    var uid = meta.path("uid").asText("");
    if (!uid.isEmpty() && !uid.equals(current.meta().uid())) {
      throw RequestProblem.conflict(
          kind, name, "it is another object with the uid " + current.meta().uid());
    }
    if (part != Part.STATUS && version != current.meta().version()) {
      throw RequestProblem.conflict(
          kind,
          name,
          "the object has been modified (it is at version %d, not %d); read it again, apply your"
                  .formatted(current.meta().version(), version)
              + " change to what you read");
    }
    if (part == Part.STATUS) {
      tree.set("metadata", Codec.tree(current).get("metadata"));
      tree.set("spec", Codec.tree(current).get("spec"));
      if (!tree.has("status")) {
        throw RequestProblem.invalid(kind, name, "status", "is required");
      }
      var read = Decoding.read(kind, tree);
      var seen = current.meta().withVersion(version);
      return bounded(new Resource<>(kind, seen, current.spec(), read.status()));
    }
    tree.remove("status");
    var read = Decoding.read(kind, tree);
    return bounded(
        new Resource<>(kind, kept(current.meta(), read.meta()), read.spec(), current.status()));
  }

  /** The object as a tree for patches, with numbers of the types that the parser uses. */
  static JsonNode patchable(Resource<?, ?> resource) {
    return StrictJson.parseOwn(Buffer.buffer(Codec.json(resource)));
  }

  private static Metadata kept(Metadata current, Metadata wanted) {
    return new Metadata(
        current.name(),
        current.uid(),
        current.version(),
        current.generation(),
        wanted.labels(),
        wanted.annotations(),
        wanted.finalizers(),
        wanted.owners(),
        current.created(),
        current.deleted());
  }

  private static long version(Kind<?, ?> kind, String name, JsonNode meta) {
    var version = meta.path("resourceVersion").asText("");
    if (version.isEmpty()) {
      throw RequestProblem.invalid(
          kind,
          name,
          "metadata.resourceVersion",
          "must be given for an update; read the object first, or send a PATCH");
    }
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw RequestProblem.invalid(
          kind, name, "metadata.resourceVersion", "is not a valid version");
    }
  }

  /** A copy of the body without ignored fields, checked to be of the kind. */
  private static ObjectNode object(Kind<?, ?> kind, JsonNode body) {
    if (!(body instanceof ObjectNode object)) {
      throw RequestProblem.badRequest("the body is not an object");
    }
    check(object, "apiVersion", Kind.API_VERSION);
    check(object, "kind", kind.name());
    var copy = object.deepCopy();
    if (!copy.path("metadata").isMissingNode() && !copy.path("metadata").isObject()) {
      throw RequestProblem.invalid(kind, "", "metadata", "is not an object");
    }
    copy.withObject("/metadata").remove(IGNORED);
    return copy;
  }

  private static void check(ObjectNode body, String field, String wanted) {
    var given = body.path(field).asText("");
    if (!given.equals(wanted)) {
      throw RequestProblem.badRequest(
          "%s in the body is %s, but must be %s"
              .formatted(field, given.isEmpty() ? "missing" : "'" + given + "'", wanted));
    }
  }

  private static <S, T> Resource<S, T> bounded(Resource<S, T> resource) {
    int size = Codec.length(resource);
    if (size > ObjectStore.MAX_BYTES) {
      throw RequestProblem.of(
              413,
              "RequestEntityTooLarge",
              "the object has %d bytes; the limit is %d".formatted(size, ObjectStore.MAX_BYTES))
          .about(resource.type(), resource.name());
    }
    return resource;
  }

  private Writing() {}
}
