package verwalter.ui.table;

import java.util.List;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.Configuration;
import verwalter.model.Kind;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.SchedulerCode;
import verwalter.ui.table.Column.Form;

/** The columns of the configuration in force and of the scheduler's files. */
final class ConfigurationColumns {
  static final List<Column<Resource<Configuration.Spec, Configuration.Status>>> CONFIGURATION =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "Whether it is that of the leader's directory.",
              it ->
                  it.status()
                      .map(status -> Health.of(status.conditions(), Reason.IN_FORCE.title()))
                      .orElse(null)),
          Column.of(
              "Node",
              Form.TEXT,
              "The node whose directory it was read from.",
              it -> it.status().map(Configuration.Status::node).orElse(null)),
          Column.of(
              "Settings",
              Form.TEXT,
              "The beginning of the hash of its settings.",
              it ->
                  it.status().map(status -> CommonColumns.shortly(status.settings())).orElse(null)),
          Column.of(
              "Scheduler",
              Form.TEXT,
              "The beginning of the hash of its scheduler.",
              it ->
                  it.status()
                      .map(status -> CommonColumns.shortly(status.scheduler()))
                      .orElse(null)),
          CommonColumns.age(),
          Column.wide(
              "Problem",
              Form.PROSE,
              "Message of the first problem.",
              it -> problem(it).map(Condition::message).orElse(null)));

  static final List<Column<Resource<SchedulerCode.Spec, Kind.None>>> CODE =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Size",
              Form.NUMBER,
              "Characters of the piece in Base64.",
              it -> it.spec().data().length()),
          CommonColumns.age());

  private static Optional<Condition> problem(
      Resource<Configuration.Spec, Configuration.Status> configuration) {
    return configuration.status().flatMap(it -> Health.failing(it.conditions()));
  }

  private ConfigurationColumns() {}
}
