package verwalter.supervisor;

import java.util.Comparator;

/** The name of a slot, {@code sandbox/process.index}, in parts. */
record SlotName(String sandbox, String process, int index) {
  /** By process, then by number: web.2 before web.10. */
  static final Comparator<String> ORDER =
      Comparator.comparing(
          SlotName::parse,
          Comparator.comparing(SlotName::sandbox)
              .thenComparing(SlotName::process)
              .thenComparingInt(SlotName::index));

  static SlotName parse(String name) {
    int slash = name.indexOf('/');
    int dot = name.lastIndexOf('.');
    return new SlotName(
        name.substring(0, slash),
        name.substring(slash + 1, dot),
        Integer.parseInt(name.substring(dot + 1)));
  }

  @Override
  public String toString() {
    return sandbox + "/" + process + "." + index;
  }
}
