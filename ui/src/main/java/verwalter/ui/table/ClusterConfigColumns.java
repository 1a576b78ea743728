package verwalter.ui.table;

import java.util.List;
import verwalter.model.ClusterConfig;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;

/** The columns of the settings of the cluster. */
final class ClusterConfigColumns {
  static final List<Column<Resource<ClusterConfig.Spec, ClusterConfig.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Electors",
              Form.NUMBER,
              "The number of nodes that vote, if there are enough.",
              it -> Integer.toString(it.spec().electors())),
          Column.of(
              "Replaced-After",
              Form.TEXT,
              "For how long an elector is not ready before another node votes in its place.",
              it -> it.spec().replaceElectorAfterSeconds() + "s"),
          CommonColumns.age());

  private ClusterConfigColumns() {}
}
