package verwalter.ui.table;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of template outputs. */
final class TemplateOutputColumns {
  static final List<Column<Resource<TemplateOutput.Spec, TemplateOutput.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "Whether the files match the rendered ones.",
              status(it -> health(it))),
          Column.of(
              "Files", Form.NUMBER, "Number of files written.", status(it -> it.files().size())),
          Column.of(
              "Template", Form.TEXT, "Name of its templates.", output -> output.spec().template()),
          CommonColumns.age(),
          Column.wide(
              "Deployment",
              Form.TEXT,
              "Last deployment that changed a file.",
              status(it -> it.deployment().orElse(null))),
          Column.wide(
              "Problem",
              Form.PROSE,
              "Message of the first problem.",
              status(it -> problem(it).map(Condition::message).orElse(null))),
          Column.wide(
              "Releases",
              Form.NUMBER,
              "Number of releases to roll back to.",
              status(it -> it.releases().size())));

  /**
   * The state of an output. One that waits for another role is busy, one that is pinned has a
   * warning.
   */
  private static Health health(TemplateOutput.Status status) {
    return problem(status)
        .filter(condition -> condition.isTrue() || condition.hasReason(Reason.WAITING))
        .map(
            condition -> new Health(condition.isTrue() ? Tone.WARN : Tone.BUSY, condition.reason()))
        .orElseGet(() -> Health.of(status.conditions(), ConditionType.RENDERED.title()));
  }

  private static Optional<Condition> problem(TemplateOutput.Status status) {
    return Health.failing(status.conditions())
        .or(
            () ->
                status.conditions().stream()
                    .filter(condition -> condition.hasReason(Reason.ROLLED_BACK))
                    .findFirst());
  }

  private static Function<Resource<TemplateOutput.Spec, TemplateOutput.Status>, @Nullable Object>
      status(Function<TemplateOutput.Status, @Nullable Object> value) {
    return output -> output.status().map(value).orElse(null);
  }

  private TemplateOutputColumns() {}
}
