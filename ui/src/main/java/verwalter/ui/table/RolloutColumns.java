package verwalter.ui.table;

import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.Rollout;
import verwalter.ui.table.Column.Form;

/** The columns of rollouts. */
final class RolloutColumns {
  static final List<Column<Resource<Rollout.Spec, Rollout.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of("From", Form.TEXT, "Version before.", it -> it.spec().from().orElse("")),
          Column.of("To", Form.TEXT, "Version that shall run.", it -> it.spec().to()),
          Column.of("State", Form.TEXT, "How it has ended, or Progressing.", RolloutColumns::state),
          Column.of(
              "Updated",
              Form.TEXT,
              "Processes that run the new version.",
              it ->
                  it.status().map(status -> status.updated() + "/" + status.desired()).orElse("")),
          Column.of("By", Form.TEXT, "Who began it.", it -> it.spec().by()),
          Column.of(
              "Message",
              Form.TEXT,
              "How far it is, and what it waits for.",
              it -> it.status().map(Rollout.Status::message).orElse("")),
          CommonColumns.age());

  private static String state(Resource<Rollout.Spec, Rollout.Status> rollout) {
    Optional<Rollout.Status> status = rollout.status();
    return status
        .flatMap(Rollout.Status::outcome)
        .map(
            outcome ->
                switch (outcome) {
                  case COMPLETE -> "Complete";
                  case FAILED -> "Failed";
                  case SUPERSEDED -> "Superseded";
                })
        .orElse(status.filter(Rollout.Status::paused).isPresent() ? "Paused" : "Progressing");
  }

  private RolloutColumns() {}
}
