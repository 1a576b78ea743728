package verwalter.ui.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.ui.table.Column;
import verwalter.ui.table.Columns;
import verwalter.ui.table.ProcessRow;

/** A table of the page. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are immutable and the functions stateless
enum Section {
  NODES("nodes", Columns.of(Node.KIND)),
  ROLES("roles", Columns.of(RoleConfig.KIND)),
  ROLLOUTS("rollouts", Columns.of(Rollout.KIND)),
  INSTANCES("instances", Columns.of(RoleInstance.KIND)),
  PROCESSES("processes", Columns.ofProcesses()),
  EVENTS("events", Columns.of(Event.KIND));

  private final String id;
  private final List<? extends Column<?>> columns;

  Section(String id, List<? extends Column<?>> columns) {
    this.id = id;
    this.columns = columns;
  }

  /** The id of its element. */
  String id() {
    return id;
  }

  List<? extends Column<?>> columns() {
    return columns;
  }

  /** The rows of an object; none if its kind has no table on the page. */
  static List<Row> rows(Resource<?, ?> object) {
    var rows = new ArrayList<Row>();
    as(Node.KIND, object).ifPresent(it -> rows.add(row(NODES, Columns.of(Node.KIND), it)));
    as(RoleConfig.KIND, object)
        .ifPresent(it -> rows.add(row(ROLES, Columns.of(RoleConfig.KIND), it)));
    as(Rollout.KIND, object)
        .filter(Rollout::open)
        .ifPresent(it -> rows.add(row(ROLLOUTS, Columns.of(Rollout.KIND), it)));
    as(RoleInstance.KIND, object)
        .ifPresent(it -> rows.add(row(INSTANCES, Columns.of(RoleInstance.KIND), it)));
    as(Event.KIND, object)
        .ifPresent(
            it -> {
              var newestFirst = Long.MAX_VALUE - it.spec().last().toEpochMilli();
              rows.add(
                  row(
                      EVENTS,
                      it.name(),
                      "%019d %s".formatted(newestFirst, it.name()),
                      Columns.of(Event.KIND),
                      it));
            });
    as(ProcessGroup.KIND, object).ifPresent(it -> rows.addAll(processes(it)));
    return List.copyOf(rows);
  }

  private static List<Row> processes(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group.status().stream()
        .flatMap(status -> Stream.of(status.processes(), status.commands()))
        .flatMap(List::stream)
        .map(
            slot -> {
              var name = slot.name() + "@" + group.spec().node();
              var process = new ProcessRow(group.spec().node(), slot);
              return row(PROCESSES, name, name, Columns.ofProcesses(), process);
            })
        .toList();
  }

  private static <S, T> Row row(
      Section section, List<Column<Resource<S, T>>> columns, Resource<S, T> object) {
    return row(section, object.name(), object.name(), columns, object);
  }

  private static <R> Row row(
      Section section, String name, String sort, List<Column<R>> columns, R of) {
    var cells = new ArrayList<Optional<Object>>();
    for (var column : columns) {
      Function<R, ? extends Object> value = column.value();
      cells.add(Optional.ofNullable(value.apply(of)));
    }
    return new Row(section, section.id() + "/" + name, sort, cells);
  }

  @SuppressWarnings("unchecked") // the type of a resource is that of its kind
  private static <S, T> Optional<Resource<S, T>> as(
      verwalter.model.Kind<S, T> kind, Resource<?, ?> object) {
    return object.type().equals(kind) ? Optional.of((Resource<S, T>) object) : Optional.empty();
  }
}
