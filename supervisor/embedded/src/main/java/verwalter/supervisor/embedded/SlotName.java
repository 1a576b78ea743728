package verwalter.supervisor.embedded;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.supervisor.program.Host;

/** The name of a slot, {@code group/process.index}, in parts. */
record SlotName(String group, String process, int index) implements Comparable<SlotName> {
  private static final Comparator<SlotName> NAMES =
      Comparator.comparing(SlotName::group)
          .thenComparing(SlotName::process)
          .thenComparingInt(SlotName::index);

  /** By process, then by number: web.2 before web.10. */
  static final Comparator<String> ORDER = Comparator.comparing(SlotName::parse, NAMES);

  static SlotName parse(String name) {
    int slash = name.indexOf('/');
    int dot = name.lastIndexOf('.');
    return new SlotName(
        name.substring(0, slash),
        name.substring(slash + 1, dot),
        Integer.parseInt(name.substring(dot + 1)));
  }

  private static final Pattern RUN =
      Pattern.compile("([A-Za-z0-9_-]+):([A-Za-z0-9_-]+)\\.([0-9]{1,9}):[A-Za-z0-9_-]+");

  /** The slot of the run with that id; empty if it is not the id of a run. */
  static Optional<SlotName> ofRun(String id) {
    var match = RUN.matcher(id);
    return match.matches()
        ? Optional.of(
            new SlotName(match.group(1), match.group(2), Integer.parseInt(match.group(3))))
        : Optional.empty();
  }

  private static final Pattern LOG =
      Pattern.compile("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([0-9]{1,9})\\.log");

  /** The slot of a log with that name; empty if it is not the name of a log. */
  static Optional<SlotName> ofLog(String file) {
    var match = LOG.matcher(file);
    return match.matches()
        ? Optional.of(
            new SlotName(match.group(1), match.group(2), Integer.parseInt(match.group(3))))
        : Optional.empty();
  }

  /** The id of a run of the slot; {@code mark} distinguishes it from other runs. */
  String run(String mark) {
    return group + ":" + process + "." + index + ":" + mark;
  }

  /** The name of the log of the slot, unless its configuration says another one. */
  String log() {
    return Host.log(group, process, index);
  }

  @Override
  public int compareTo(SlotName other) {
    return NAMES.compare(this, other);
  }

  @Override
  public String toString() {
    return group + "/" + process + "." + index;
  }
}
