package verwalter.ui.table;

import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;

/**
 * Columns that several kinds have. They are not in {@link Columns}, whose initialization needs the
 * columns of each kind.
 */
final class CommonColumns {
  static <S, T> Column<Resource<S, T>> name() {
    return Column.of("Name", Form.NAME, "Name of the object.", Resource::name);
  }

  static <S, T> Column<Resource<S, T>> age() {
    return Column.of(
        "Age",
        Form.AGE,
        "Time since it was created.",
        resource -> resource.meta().created().orElse(null));
  }

  /** The first eight letters of a hash. */
  static String shortly(String hash) {
    return hash.substring(0, Math.min(8, hash.length()));
  }

  private CommonColumns() {}
}
