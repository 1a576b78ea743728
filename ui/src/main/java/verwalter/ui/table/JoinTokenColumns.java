package verwalter.ui.table;

import java.util.List;
import java.util.Locale;
import verwalter.model.JoinToken;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;

/** The columns of join tokens. */
final class JoinTokenColumns {
  static final List<Column<Resource<JoinToken.Spec, JoinToken.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "For",
              Form.TEXT,
              "A node or a channel, and its name if the token has one.",
              it ->
                  it.spec().purpose().name().toLowerCase(Locale.ROOT)
                      + it.spec().name().map(name -> " " + name).orElse("")),
          Column.of(
              "Used",
              Form.NUMBER,
              "Uses so far, of those allowed.",
              it -> JoinToken.used(it) + "/" + it.spec().uses()),
          Column.of(
              "Expires",
              Form.TEXT,
              "When it becomes invalid.",
              it -> it.spec().expires().toString()),
          CommonColumns.age(),
          Column.wide("Creator", Form.TEXT, "Who created it.", it -> it.spec().createdBy()));

  private JoinTokenColumns() {}
}
