package verwalter.ui.table;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of schedules, and of NodeSchedules. */
final class ScheduleColumns {
  static final List<Column<Resource<Schedule.Spec, Schedule.Status>>> SCHEDULE =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "State of the decision.", ScheduleColumns::health),
          Column.of(
              "Hash",
              Form.HASH,
              "Hash of the decision.",
              schedule ->
                  schedule.spec().decided() ? CommonColumns.shortly(schedule.spec().hash()) : null),
          Column.of(
              "Applied",
              Form.NUMBER,
              "Nodes that applied it, of those with a NodeSchedule.",
              schedule ->
                  schedule.status().map(it -> it.applied() + "/" + it.nodes()).orElse(null)),
          Column.of(
              "Made",
              Form.AGE,
              "Time since it was decided.",
              schedule -> schedule.spec().decided() ? schedule.spec().timestamp() : null),
          Column.wide(
              "Origin",
              Form.TEXT,
              "Machine id of the leader that made it.",
              schedule -> schedule.spec().decided() ? schedule.spec().origin() : null),
          Column.wide(
              "Parents",
              Form.TEXT,
              "Schedules it was made from.",
              schedule ->
                  schedule.spec().parents().isEmpty()
                      ? null
                      : schedule.spec().parents().stream()
                          .map(CommonColumns::shortly)
                          .collect(Collectors.joining(","))),
          Column.wide(
              "Problem", Form.PROSE, "Message of the first problem.", ScheduleColumns::problem));

  static final List<Column<Resource<NodeSchedule.Spec, NodeSchedule.Status>>> NODE_SCHEDULE =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "Whether it was applied.",
              share ->
                  share.status().map(it -> Health.of(it.conditions(), "Applied")).orElse(null)),
          Column.of("Roles", Form.NUMBER, "Number of roles.", share -> share.spec().roles().size()),
          Column.of(
              "Schedule",
              Form.HASH,
              "Schedule that last changed it.",
              share -> CommonColumns.shortly(share.spec().schedule())),
          Column.of(
              "Applied",
              Form.HASH,
              "Schedule that was last applied.",
              share ->
                  share
                      .status()
                      .flatMap(it -> it.applied())
                      .map(CommonColumns::shortly)
                      .orElse(null)),
          CommonColumns.age());

  private static Health health(Resource<Schedule.Spec, Schedule.Status> schedule) {
    var conditions = schedule.status().map(Schedule.Status::conditions).orElse(List.of());
    var failing = Health.failing(conditions);
    if (failing.isPresent() && failing.get().is(ConditionType.DECIDED)) {
      return new Health(Tone.BAD, failing.get().reason());
    }
    if (!schedule.spec().decided()) {
      return new Health(Tone.QUIET, "Undecided");
    }
    if (failing.isPresent()) {
      return new Health(Tone.WARN, failing.get().reason());
    }
    boolean everywhere = schedule.status().filter(it -> it.applied() >= it.nodes()).isPresent();
    return everywhere ? new Health(Tone.GOOD, "Applied") : new Health(Tone.BUSY, "Applying");
  }

  private static @Nullable Object problem(Resource<Schedule.Spec, Schedule.Status> schedule) {
    return schedule
        .status()
        .flatMap(it -> Health.failing(it.conditions()))
        .map(Condition::message)
        .orElse(null);
  }

  private ScheduleColumns() {}
}
