package verwalter.ui.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.ui.table.Column.Form;

/** Objects as a Kubernetes {@code Table} ({@code meta.k8s.io/v1}), whose cells are texts. */
public final class Tables {
  private static final String API_VERSION = "meta.k8s.io/v1";

  /** The part of its object that each row includes. */
  public enum Inclusion {
    NONE,
    METADATA,
    OBJECT
  }

  /** A table without {@code metadata}; with column definitions only if requested. */
  public static <S, T> ObjectNode table(
      Kind<S, T> kind,
      List<Resource<S, T>> rows,
      boolean headings,
      Inclusion inclusion,
      Instant now) {
    var columns = Columns.of(kind);
    var table = JsonNodeFactory.instance.objectNode();
    table.put("kind", "Table").put("apiVersion", API_VERSION);
    table.putObject("metadata");
    var definitions = table.putArray("columnDefinitions");
    if (headings) {
      columns.forEach(column -> define(column, definitions));
    }
    var all = table.putArray("rows");
    for (var each : rows) {
      var row = all.addObject();
      var cells = row.putArray("cells");
      columns.forEach(column -> add(column.value().apply(each), column.form(), cells, now));
      if (inclusion == Inclusion.OBJECT) {
        row.set("object", Codec.tree(each));
      } else if (inclusion == Inclusion.METADATA) {
        row.set("object", partial(each));
      }
    }
    return table;
  }

  /** Only the metadata of an object. */
  public static ObjectNode partial(Resource<?, ?> resource) {
    var partial = JsonNodeFactory.instance.objectNode();
    partial.put("kind", "PartialObjectMetadata").put("apiVersion", API_VERSION);
    partial.set("metadata", Codec.tree(resource).get("metadata"));
    return partial;
  }

  private static void define(Column<?> column, ArrayNode definitions) {
    definitions
        .addObject()
        .put("name", column.name())
        .put("type", column.form() == Form.NUMBER ? "integer" : "string")
        .put("format", column.form() == Form.NAME ? "name" : "")
        .put("description", column.description())
        .put("priority", column.wide() ? 1 : 0);
  }

  private static void add(@Nullable Object value, Form form, ArrayNode cells, Instant now) {
    if (value instanceof Long number) {
      cells.add(number);
    } else if (value instanceof Integer number) {
      cells.add(number);
    } else {
      cells.add(text(value, form, now));
    }
  }

  /** A cell as text; {@code <none>} if there is no value. */
  public static String text(@Nullable Object value, Form form, Instant now) {
    if (value == null) {
      return form == Form.AGE ? "<unknown>" : "<none>";
    }
    if (value instanceof Instant past) {
      return Ages.text(Duration.between(past, now));
    }
    return String.format(Locale.ROOT, "%s", value);
  }

  private Tables() {}
}
