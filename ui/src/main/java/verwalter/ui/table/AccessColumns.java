package verwalter.ui.table;

import java.util.List;
import java.util.stream.Collectors;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;

/** The columns of access rules and access tokens. */
final class AccessColumns {
  static final List<Column<Resource<AccessRule.Spec, Kind.None>>> RULES =
      List.of(
          CommonColumns.name(),
          Column.of("Grants", Form.TEXT, "What it allows.", it -> it.spec().grants().word()),
          Column.of("Subjects", Form.TEXT, "Who it applies to.", AccessColumns::subjects),
          Column.of("Kinds", Form.TEXT, "Kinds it is limited to.", it -> list(it.spec().kinds())),
          Column.of("Roles", Form.TEXT, "Roles it is limited to.", it -> list(it.spec().roles())),
          Column.wide("Verbs", Form.TEXT, "Verbs it is limited to.", it -> list(it.spec().verbs())),
          CommonColumns.age());

  static final List<Column<Resource<AccessToken.Spec, Kind.None>>> TOKENS =
      List.of(
          CommonColumns.name(),
          Column.of("User", Form.TEXT, "Name of the caller.", it -> it.spec().user()),
          Column.of(
              "Groups",
              Form.TEXT,
              "Groups of the caller.",
              it -> String.join(",", it.spec().groups())),
          Column.of(
              "Expires",
              Form.TEXT,
              "When it becomes invalid.",
              it -> it.spec().expires().toString()),
          CommonColumns.age());

  private static String subjects(Resource<AccessRule.Spec, Kind.None> rule) {
    return list(
        rule.spec().subjects().stream()
            .map(it -> it.kind() == AccessRule.SubjectKind.GROUP ? "group " + it.name() : it.name())
            .toList());
  }

  private static String list(List<String> words) {
    return words.isEmpty() ? "<all>" : words.stream().collect(Collectors.joining(","));
  }

  private AccessColumns() {}
}
