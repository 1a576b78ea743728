package verwalter.e2e;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import verwalter.model.Condition;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessSpec;
import verwalter.model.ResourceKey;
import verwalter.model.Writer;
import verwalter.model.Writers;

/** The reference page of kinds, from the records and their comments. */
final class KindsPage {
  private static final List<String> FIELDS = List.of("Field", "Type", "Needed", "Meaning");

  /** Parts of several kinds, which are described once at the end. */
  private static final Set<Class<?>> SHARED =
      Set.of(Condition.class, ProcessSpec.class, ResourceKey.class, OwnerReference.class);

  /** Fields that all statuses have in common. */
  private static final Map<String, String> EVERYWHERE =
      Map.of(
          "observedGeneration",
          "the `metadata.generation` of the spec that this status speaks of",
          "conditions",
          "the conditions of the object: each is true, false or unknown, with a reason");

  /** Names of metadata fields in Kubernetes that differ from the record. */
  private static final Map<String, String> SHORTER =
      Map.of(
          "resourceVersion", "version",
          "ownerReferences", "owners",
          "creationTimestamp", "created",
          "deletionTimestamp", "deleted");

  private final SourceComments comments;
  private final Markdown page = Markdown.page("Kinds and their fields", "the records in model/");
  private final Set<Class<?>> shared = new LinkedHashSet<>();

  /** Fields without a description. */
  private final List<String> silent = new ArrayList<>();

  private KindsPage(SourceComments comments) {
    this.comments = comments;
  }

  static String of() throws IOException {
    var sources = LaunchedAgent.HOME.resolve("model/src/main/java/verwalter/model");
    var page = new KindsPage(SourceComments.of(sources));
    page.write();
    if (!page.silent.isEmpty()) {
      throw new AssertionError(
          "these fields need a @param or a comment in model/: " + String.join(", ", page.silent));
    }
    return page.page.toString();
  }

  private void write() {
    page.paragraph(
        "Every object has `apiVersion: "
            + Kind.API_VERSION
            + "`, `kind`, `metadata`, `spec` (the desired state) and, except for events, `status` (the"
            + " observed state). `vw get KIND NAME -o yaml` shows all of it. A needed field must be"
            + " present when the object is written; others may be omitted.");
    page.table(
        List.of("Kind", "Names in commands", "Meaning"),
        Kinds.ALL.stream()
            .map(
                kind ->
                    List.of(
                        "[%s](#%s)".formatted(kind.name(), anchor(kind.name())),
                        Markdown.code(
                            kind.plural(), kind.name().toLowerCase(Locale.ROOT), kind.shortName()),
                        comments.of(kind.name())))
            .toList());
    writers();
    page.heading(2, "Metadata");
    metadata();
    for (var kind : Kinds.ALL) {
      page.heading(2, kind.name());
      page.paragraph(comments.of(kind.name()));
      part(kind.spec(), kind.name() + " spec");
      if (!kind.status().equals(Kind.None.class)) {
        part(kind.status(), kind.name() + " status");
      }
    }
    page.heading(2, "Shared parts");
    var written = new LinkedHashSet<Class<?>>();
    while (written.size() < shared.size()) {
      for (var each : List.copyOf(shared)) {
        if (written.add(each)) {
          part(each, each.getSimpleName());
        }
      }
    }
  }

  /** The scope and the writers of each kind. */
  private void writers() {
    page.heading(2, "Scopes and writers");
    page.paragraph(
        "An object of scope *cluster* is written by the leader; one of scope *node* by the node"
            + " that it names. Only the writers of a part may change that part. Operators may"
            + " change labels and annotations of every object, and delete objects except for those"
            + " because of which processes run: `Schedule`, `NodeSchedule`, `RoleInstance`, `TemplateOutput`,"
            + " `ProcessGroup`, `DeploymentRef` and `Artifact`. The"
            + " controller that writes the status may remove an annotation below"
            + " `verwalter.io/` once it has acted on it, and alone removes its finalizer.");
    page.table(
        List.of("Kind", "Scope", "Spec is written by", "Status is written by"),
        Kinds.ALL.stream()
            .map(
                kind ->
                    List.of(
                        kind.name(),
                        kind.scope().title(),
                        titles(kind.specWriters()),
                        statusTitles(kind.writers())))
            .toList());
  }

  private static String statusTitles(Writers writers) {
    return writers.status().stream()
        .map(writer -> writer.title() + conditionTitles(writers, writer))
        .collect(Collectors.joining(", "));
  }

  private static String conditionTitles(Writers writers, Writer writer) {
    var titles =
        writers.conditions().entrySet().stream()
            .filter(its -> its.getValue() == writer)
            .map(its -> "`" + its.getKey().title() + "`")
            .toList();
    return switch (titles.size()) {
      case 0 -> "";
      case 1 -> " (condition " + titles.get(0) + ")";
      default -> " (conditions " + String.join(", ", titles) + ")";
    };
  }

  private static String titles(Set<Writer> writers) {
    return writers.stream().map(Writer::title).collect(Collectors.joining(", "));
  }

  /** Names and types from the serialized form, with the comments of the record. */
  private void metadata() {
    var rows = new ArrayList<List<String>>();
    for (var field : written().getRecordComponents()) {
      rows.add(
          List.of(
              Markdown.code(field.getName()),
              typeText(field.getGenericType(), "", shared),
              isNeeded(field.getGenericType()) ? "yes" : "",
              comment(Metadata.class, SHORTER.getOrDefault(field.getName(), field.getName()))));
    }
    page.paragraph(comments.of("Metadata"));
    page.table(FIELDS, rows);
  }

  private void part(Class<?> type, String title) {
    page.heading(3, title);
    record(type, title.substring(0, title.indexOf(' ') + 1));
  }

  /** The table of a record, followed by its enums and nested records. */
  private void record(Class<?> type, String prefix) {
    page.paragraph(comments.of(name(type)));
    var rows = new ArrayList<List<String>>();
    var inner = new LinkedHashSet<Class<?>>();
    for (var component : type.getRecordComponents()) {
      var field = field(component.getName(), component.getAccessor());
      var generic = component.getGenericType();
      rows.add(
          List.of(
              Markdown.code(field),
              typeText(generic, prefix, inner),
              isNeeded(generic) ? "yes" : "",
              comment(type, component.getName())));
    }
    page.table(FIELDS, rows);
    for (var each : inner) {
      if (each.isEnum()) {
        page.paragraph(words(each));
      } else if (SHARED.contains(each)) {
        shared.add(each);
      } else {
        part(each, prefix + each.getSimpleName());
      }
    }
  }

  private static Class<?> written() {
    try {
      return Class.forName("verwalter.model.codec.MetadataFields");
    } catch (ClassNotFoundException e) {
      throw new AssertionError("the record that metadata is written from has another name", e);
    }
  }

  private String comment(Class<?> type, String component) {
    var own = comments.of(name(type) + "." + component);
    var text = own.isEmpty() ? EVERYWHERE.getOrDefault(component, "") : own;
    if (text.isEmpty()) {
      silent.add(name(type) + "." + component);
    }
    return text;
  }

  private String words(Class<?> type) {
    var rows = new StringBuilder("`" + title(type) + "` is one of\n\n");
    for (var field : type.getFields()) {
      if (field.isEnumConstant()) {
        var comment = comments.of(name(type) + "." + field.getName());
        if (comment.isEmpty()) {
          silent.add(name(type) + "." + field.getName());
        }
        rows.append("* `%s`: %s\n".formatted(field(field.getName(), field), comment));
      }
    }
    return rows.toString();
  }

  private String typeText(Type type, String prefix, Set<Class<?>> inner) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      if (generic.getRawType().equals(Optional.class)) {
        return typeText(arguments[0], prefix, inner);
      }
      if (generic.getRawType().equals(List.class)) {
        return "list of " + typeText(arguments[0], prefix, inner);
      }
      return "mapping of names to " + typeText(arguments[1], prefix, inner);
    }
    var plain = (Class<?>) type;
    if (plain.isEnum()) {
      if (plain.getEnclosingClass() != null) {
        inner.add(plain);
      }
      return title(plain);
    }
    if (plain.isRecord()) {
      inner.add(plain);
      var title = SHARED.contains(plain) ? title(plain) : prefix + title(plain);
      return "[%s](#%s)".formatted(title(plain), anchor(title));
    }
    if (plain.equals(Object.class)) {
      return "anything";
    }
    if (plain.equals(Instant.class)) {
      return "time";
    }
    if (plain.equals(boolean.class)) {
      return "true or false";
    }
    return plain.equals(String.class) ? "text" : "integer";
  }

  private static boolean isNeeded(Type type) {
    if (!(type instanceof Class<?> plain) || plain.isPrimitive()) {
      return false;
    }
    if (plain.isEnum()) {
      return Arrays.stream(plain.getFields())
          .noneMatch(each -> each.isAnnotationPresent(JsonEnumDefaultValue.class));
    }
    return !plain.isRecord()
        || Arrays.stream(plain.getRecordComponents())
            .anyMatch(component -> isNeeded(component.getGenericType()));
  }

  private static String field(String name, AnnotatedElement element) {
    var renamed = element.getAnnotation(JsonProperty.class);
    return renamed == null || renamed.value().isEmpty() ? name : renamed.value();
  }

  private static String title(Class<?> type) {
    return type.getSimpleName();
  }

  private static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replace(' ', '-');
  }
}
