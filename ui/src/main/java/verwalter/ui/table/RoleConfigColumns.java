package verwalter.ui.table;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.ui.table.Column.Form;

/** The columns of role configurations. */
final class RoleConfigColumns {
  static final List<Column<Resource<RoleConfig.Spec, RoleConfig.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Status",
              Form.STATE,
              "Whether its files could be read.",
              role ->
                  role.status()
                      .map(it -> Health.of(ofFiles(it.conditions()), Reason.READ.title()))
                      .orElse(null)),
          Column.of(
              "Versions",
              Form.NUMBER,
              "Number of versions.",
              role -> role.spec().versions().size()),
          Column.of("Newest", Form.TEXT, "Its newest version.", RoleConfigColumns::newest),
          CommonColumns.age(),
          Column.wide(
              "Problem", Form.PROSE, "Message of the first problem.", RoleConfigColumns::problem));

  /** Other templates on some node are no reason to doubt that the files were read. */
  private static List<Condition> ofFiles(List<Condition> conditions) {
    return conditions.stream().filter(it -> !it.is(ConditionType.TEMPLATES_EQUAL)).toList();
  }

  private static @Nullable Object newest(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    var versions = role.status().map(RoleConfig.Status::versions).orElse(List.of());
    return versions.isEmpty() ? null : versions.get(versions.size() - 1);
  }

  private static @Nullable Object problem(Resource<RoleConfig.Spec, RoleConfig.Status> role) {
    Optional<Condition> failing = role.status().flatMap(it -> Health.failing(it.conditions()));
    return failing.map(Condition::message).orElse(null);
  }

  private RoleConfigColumns() {}
}
