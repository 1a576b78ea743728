package verwalter.ui.table;

import java.util.List;
import java.util.stream.Collectors;
import verwalter.model.AuthorityChange;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;

/** The columns of the replacement of the authority. */
final class AuthorityChangeColumns {
  static final List<Column<Resource<AuthorityChange.Spec, AuthorityChange.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of(
              "Phase",
              Form.TEXT,
              "How far it is.",
              it -> it.status().map(status -> phase(status)).orElse("Pending")),
          Column.of(
              "Waits For",
              Form.TEXT,
              "Nodes that have something to do.",
              it -> it.status().map(status -> nodes(status)).orElse("")),
          CommonColumns.age());

  private static String phase(AuthorityChange.Status status) {
    var name = status.phase().name();
    var word = name.charAt(0) + name.substring(1).toLowerCase(java.util.Locale.ROOT);
    return status.aborted() ? word + ", aborted" : word;
  }

  private static String nodes(AuthorityChange.Status status) {
    return status.waiting().stream()
        .map(AuthorityChange.Waiting::node)
        .collect(Collectors.joining(","));
  }

  private AuthorityChangeColumns() {}
}
