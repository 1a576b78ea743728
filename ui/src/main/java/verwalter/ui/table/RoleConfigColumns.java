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
              "Whether its files could be read; `Applied` without files.",
              role -> role.status().map(it -> configured(role, it)).orElse(null)),
          Column.of(
              ConditionType.HEALTHY.title(),
              Form.STATE,
              "Whether its instances have no errors.",
              role -> role.status().map(RoleConfigColumns::healthy).orElse(null)),
          Column.of(
              "Versions",
              Form.NUMBER,
              "Number of versions.",
              role -> role.spec().versions().size()),
          Column.of("Newest", Form.TEXT, "Its newest version.", RoleConfigColumns::newest),
          CommonColumns.age(),
          Column.wide(
              "Problem", Form.PROSE, "Message of the first problem.", RoleConfigColumns::problem));

  private static final List<ConditionType> OF_NODES =
      List.of(
          ConditionType.TEMPLATES_EQUAL,
          ConditionType.HEALTHY,
          ConditionType.ROLLED_OUT,
          ConditionType.PLACED);

  private static Health configured(
      Resource<RoleConfig.Spec, RoleConfig.Status> role, RoleConfig.Status status) {
    var conditions = ofFiles(status.conditions());
    return conditions.isEmpty() && RoleConfig.file(role).isEmpty()
        ? new Health(Health.Tone.GOOD, "Applied")
        : Health.of(conditions, Reason.READ.title());
  }

  private static Health healthy(RoleConfig.Status status) {
    var condition = Condition.find(status.conditions(), ConditionType.HEALTHY);
    return Health.of(condition.stream().toList(), ConditionType.HEALTHY.title());
  }

  /**
   * Errors, other templates on some node, a failed rollout and processes without a place are no
   * reason to doubt that the files were read.
   */
  private static List<Condition> ofFiles(List<Condition> conditions) {
    return conditions.stream().filter(it -> OF_NODES.stream().noneMatch(it::is)).toList();
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
