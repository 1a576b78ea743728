package verwalter.ui.table;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;
import verwalter.ui.table.Column.Form;

/** What a row says of what rendering produced. */
final class TemplateOutputColumns {
  static final List<Column<Resource<TemplateOutput.Spec, TemplateOutput.Status>>> ALL =
      List.of(
          Columns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "Whether the files are as rendered.",
              status(it -> Health.of(it.conditions(), "Rendered"))),
          Column.of("Files", Form.NUMBER, "Files written.", status(it -> it.files().size())),
          Column.of("Template", Form.TEXT, "Its templates.", output -> output.spec().template()),
          Columns.age(),
          Column.wide(
              "Deployment",
              Form.TEXT,
              "Last deployment that changed anything.",
              status(it -> it.deployment().orElse(null))),
          Column.wide(
              "Problem",
              Form.PROSE,
              "What is wrong.",
              status(it -> Health.failing(it.conditions()).map(Condition::message).orElse(null))));

  private static Function<Resource<TemplateOutput.Spec, TemplateOutput.Status>, @Nullable Object>
      status(Function<TemplateOutput.Status, @Nullable Object> value) {
    return output -> output.status().map(value).orElse(null);
  }

  private TemplateOutputColumns() {}
}
