package verwalter.model.codec;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.model.json.DecodeException;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;

/** Reads objects of users and reports all problems. */
final class StrictReader {
  private static final List<String> FIELDS =
      List.of("apiVersion", "kind", "metadata", "spec", "status");
  private static final Pattern VERSION = Pattern.compile("\\d{0,19}");

  /** The characters that tables and terminals do not show. */
  private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

  private static final RecordShape METADATA = RecordShape.of(MetadataFields.class);

  private final Problems problems;
  private final List<Resource<?, ?>> read = new ArrayList<>();

  private StrictReader(String source) {
    problems = new Problems(source);
  }

  /** All objects of the documents. Empty documents are skipped. */
  static List<Resource<?, ?>> all(List<Located> documents, String source) throws DecodeException {
    var reader = new StrictReader(source);
    for (var document : documents) {
      if (!document.isNull()) {
        reader.document(document, FieldPath.ROOT);
      }
    }
    reader.problems.check();
    return List.copyOf(reader.read);
  }

  /** The only document, as a record. */
  static <R extends Record> R record(List<Located> documents, String source, Class<R> type)
      throws DecodeException {
    var problems = new Problems(source);
    var filled = documents.stream().filter(document -> !document.isNull()).toList();
    if (filled.size() != 1) {
      var message = filled.isEmpty() ? "the file is empty" : "the file has more than one document";
      var place = filled.isEmpty() ? Located.Place.NONE : filled.get(1).place();
      problems.add(place, FieldPath.ROOT, message);
      throw problems.exception();
    }
    var record = RecordShape.of(type).read(filled.get(0), FieldPath.ROOT, problems);
    problems.check();
    return type.cast(Objects.requireNonNull(record)); // null only after a problem
  }

  /** The only object of the document, which must be of the kind. */
  @SuppressWarnings("unchecked") // the kind is compared
  static <S, T> Resource<S, T> one(Located document, Kind<S, T> expected) throws DecodeException {
    var reader = new StrictReader("");
    reader.object(document, FieldPath.ROOT, Optional.of(expected));
    reader.problems.check();
    return (Resource<S, T>) reader.read.get(0);
  }

  /** An object, or a list of objects as {@code get -o yaml} prints them. */
  private void document(Located document, FieldPath path) {
    if (document instanceof Located.Fields mapping
        && text(field(mapping, "kind")).endsWith("List")
        && field(mapping, "items") instanceof Located.Items items) {
      int index = 0;
      for (var item : items.items()) {
        object(item, path.field("items").item(index++), Optional.empty());
      }
      return;
    }
    object(document, path, Optional.empty());
  }

  private void object(Located document, FieldPath path, Optional<Kind<?, ?>> expected) {
    if (!(document instanceof Located.Fields mapping)) {
      problems.add(
          document.place(),
          path,
          "expected an object with apiVersion, kind, metadata and spec, found " + document.found());
      return;
    }
    int before = problems.count();
    var parts = new HashMap<String, Located>();
    for (var field : mapping.fields()) {
      var here = path.field(field.name());
      if (!FIELDS.contains(field.name())) {
        problems.unknown(field.place(), here, "unknown field", field.name(), FIELDS);
      } else if (parts.put(field.name(), field.value()) != null) {
        problems.add(field.place(), here, "duplicate field");
      }
    }
    word(mapping, "apiVersion", path, List.of(Kind.API_VERSION));
    var names =
        expected
            .map(kind -> List.of(kind.name()))
            .orElse(Kinds.ALL.stream().map(Kind::name).toList());
    var kind = word(mapping, "kind", path, names).flatMap(Kinds::named).or(() -> expected);
    kind.ifPresent(known -> parts(known, mapping, parts, path, before));
  }

  /** Reads a field that must have one of the allowed values. */
  private Optional<String> word(
      Located.Fields mapping, String name, FieldPath path, Collection<String> allowed) {
    var written = field(mapping, name);
    if (written == null || written.isNull()) {
      problems.add(mapping.place(), path.field(name), "required field is missing");
      return Optional.empty();
    }
    var word = text(written);
    if (!allowed.contains(word)) {
      var message = "expected " + String.join(" or ", allowed) + ", found " + written.found();
      if (allowed.size() == 1) {
        problems.add(written.place(), path.field(name), message);
      } else {
        problems.unknown(
            written.place(), path.field(name), "unknown kind: " + message, word, allowed);
      }
      return Optional.empty();
    }
    return Optional.of(word);
  }

  private <S, T> void parts(
      Kind<S, T> kind,
      Located.Fields mapping,
      Map<String, Located> parts,
      FieldPath path,
      int before) {
    var meta = part("metadata", METADATA, mapping, parts, path);
    if (meta != null) {
      checkMetadata((MetadataFields) meta, mapping, path);
    }
    var spec = part("spec", RecordShape.of(kind.spec()), mapping, parts, path);
    Optional<T> status = Optional.empty();
    var written = parts.get("status");
    if (written != null && !written.isNull()) {
      status =
          Optional.ofNullable(
                  RecordShape.of(kind.status()).read(written, path.field("status"), problems))
              .map(kind.status()::cast);
    }
    if (problems.count() == before && meta != null && spec != null) {
      read.add(
          new Resource<>(kind, ((MetadataFields) meta).metadata(), kind.spec().cast(spec), status));
    }
  }

  /**
   * Reads a part of an object. An absent part is treated as empty, so that each missing field is
   * reported.
   */
  private @Nullable Object part(
      String name,
      RecordShape shape,
      Located.Fields mapping,
      Map<String, Located> parts,
      FieldPath path) {
    var written = parts.get(name);
    if (written == null || written.isNull()) {
      written = new Located.Fields(mapping.place(), List.of());
    }
    return shape.read(written, path.field(name), problems);
  }

  private void checkMetadata(MetadataFields meta, Located.Fields mapping, FieldPath path) {
    var here = path.field("metadata");
    if (!Names.isValid(meta.name())) {
      problems.add(
          place(mapping, "name"), here.field("name"), "invalid name: must be " + Names.RULE);
    }
    if (!isVersion(meta.resourceVersion().orElse(""))) {
      problems.add(
          place(mapping, "resourceVersion"),
          here.field("resourceVersion"),
          "expected the version that this cluster assigned to the object, or no version");
    }
    meta.labels()
        .forEach(
            (name, value) -> {
              if (CONTROL.matcher(name).find() || CONTROL.matcher(value).find()) {
                problems.add(
                    place(mapping, "labels"),
                    here.field("labels").field(name),
                    "must not contain line breaks or other control characters");
              }
            });
  }

  private static boolean isVersion(String text) {
    return VERSION.matcher(text).matches()
        && (text.isEmpty() || new BigInteger(text).bitLength() < Long.SIZE);
  }

  private static Located.Place place(Located.Fields mapping, String name) {
    return Stream.ofNullable(field(mapping, "metadata"))
        .filter(Located.Fields.class::isInstance)
        .flatMap(meta -> Stream.ofNullable(field((Located.Fields) meta, name)))
        .map(Located::place)
        .findFirst()
        .orElse(mapping.place());
  }

  private static @Nullable Located field(Located.Fields mapping, String name) {
    for (var field : mapping.fields()) {
      if (field.name().equals(name)) {
        return field.value();
      }
    }
    return null;
  }

  private static String text(@Nullable Located written) {
    return written instanceof Located.Scalar scalar && scalar.value() instanceof String text
        ? text
        : "";
  }
}
