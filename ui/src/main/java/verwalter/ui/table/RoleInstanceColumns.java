package verwalter.ui.table;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of role instances. */
final class RoleInstanceColumns {
  private static final Health ROLLED_BACK = new Health(Tone.WARN, Reason.ROLLED_BACK.title());

  private static final Health REVERTED = new Health(Tone.WARN, Reason.REVERTED.title());

  static final List<Column<Resource<RoleInstance.Spec, RoleInstance.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "State of the role on the node.",
              status(RoleInstanceColumns::health)),
          Column.of(
              "Ready",
              Form.NUMBER,
              "Running processes, of the desired number.",
              status(it -> it.running() + "/" + it.desired())),
          Column.of(
              "Restarts",
              Form.NUMBER,
              "Number of restarts after a process had ended by itself.",
              status(it -> it.restarts())),
          Column.of(
              "Version", Form.TEXT, "Version of the role that runs.", RoleInstanceColumns::version),
          Column.of("Since", Form.AGE, "Time in this state.", status(it -> it.since())),
          CommonColumns.age(),
          Column.wide("Reason", Form.PROSE, "Why it is in this state.", status(it -> reason(it))),
          Column.wide(
              "Template",
              Form.TEXT,
              "Name of its templates.",
              instance -> instance.spec().template()));

  private static @Nullable String version(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::version)
        .or(() -> instance.spec().version())
        .orElse(null);
  }

  private static Function<Resource<RoleInstance.Spec, RoleInstance.Status>, @Nullable Object>
      status(Function<RoleInstance.Status, @Nullable Object> value) {
    return instance -> instance.status().map(value).orElse(null);
  }

  /** The word of the column {@code Status}; empty before the first report. */
  static Optional<String> word(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance.status().map(RoleInstanceColumns::health).map(Health::word);
  }

  private static Health health(RoleInstance.Status status) {
    var ready = Condition.find(status.conditions(), ConditionType.READY);
    if (ready.filter(it -> it.hasReason(Reason.NOT_READY)).isPresent()) {
      return new Health(Tone.WARN, Reason.NOT_READY.title());
    }
    if (status.state() != RoleInstance.State.RUNNING || status.reason().isEmpty()) {
      return new Health(tone(status), word(status.state()));
    }
    // A running instance has a reason only after a version has failed, or while a release is
    // pinned.
    return status.failed().isPresent() ? REVERTED : ROLLED_BACK;
  }

  private static Tone tone(RoleInstance.Status status) {
    return switch (status.state()) {
      case RUNNING -> Tone.GOOD;
      case BROKEN -> Tone.BAD;
      case HALTED -> Tone.QUIET;
      case INITIAL, PREPARING, WAITING, RENDERING, BOOTING, HALTING ->
          Health.failing(status.conditions()).isPresent() ? Tone.WARN : Tone.BUSY;
    };
  }

  private static String word(RoleInstance.State state) {
    return state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static @Nullable String reason(RoleInstance.Status status) {
    return status.reason().isEmpty() ? null : status.reason();
  }

  private RoleInstanceColumns() {}
}
