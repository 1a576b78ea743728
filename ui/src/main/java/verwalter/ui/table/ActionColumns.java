package verwalter.ui.table;

import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.json.Json;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of actions. */
final class ActionColumns {
  private static final int SHOWN = 60;

  static final List<Column<Resource<Action.Spec, Action.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "Result of the action.", ActionColumns::health),
          Column.of("Role", Form.TEXT, "Role of the action.", act -> button(act, "role")),
          Column.of("Action", Form.TEXT, "Name of the action.", act -> button(act, "action")),
          Column.of(
              "Schedule",
              Form.HASH,
              "Schedule that was decided with it.",
              act ->
                  act.status()
                      .map(Action.Status::schedule)
                      .filter(hash -> !hash.isEmpty())
                      .map(CommonColumns::shortly)
                      .orElse(null)),
          Column.of("Asked", Form.AGE, "Time since it was requested.", act -> act.spec().at()),
          Column.wide("Request", Form.PROSE, "The whole request.", ActionColumns::request),
          Column.wide(
              "Problem",
              Form.PROSE,
              "Why it was set aside.",
              act ->
                  act.status()
                      .map(Action.Status::reason)
                      .filter(reason -> !reason.isEmpty())
                      .orElse(null)));

  private static Health health(Resource<Action.Spec, Action.Status> action) {
    return action
        .status()
        .map(
            status ->
                switch (status.state()) {
                  case DONE -> new Health(Tone.GOOD, "Done");
                  case SET_ASIDE -> new Health(Tone.BAD, "SetAside");
                })
        .orElseGet(() -> new Health(Tone.BUSY, "Pending"));
  }

  private static @Nullable Object button(
      Resource<Action.Spec, Action.Status> action, String field) {
    var button = Json.object(Json.object(action.spec().request()).get("button"));
    return button.get(field) instanceof String text ? text : null;
  }

  private static String request(Resource<Action.Spec, Action.Status> action) {
    var text = Json.canonical(action.spec().request());
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private ActionColumns() {}
}
