package verwalter.ui.table;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of process groups, and of single processes. */
final class ProcessColumns {
  static final List<Column<Resource<ProcessGroup.Spec, ProcessGroup.Status>>> GROUP =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "Whether its processes run.", status(it -> health(it))),
          Column.of(
              "Ready",
              Form.NUMBER,
              "Processes that run and are ready, of the desired number.",
              status(
                  it ->
                      it.processes().stream().filter(Slot::isReady).count() + "/" + it.desired())),
          Column.of(
              "Restarts",
              Form.NUMBER,
              "Number of restarts after a process had ended by itself.",
              status(it -> it.processes().stream().mapToLong(Slot::restarts).sum())),
          Column.of("Role", Form.TEXT, "Role of its processes.", group -> group.spec().role()),
          CommonColumns.age(),
          Column.wide(
              "Replaced",
              Form.NUMBER,
              "Number of starts in place of a process that was stopped.",
              status(it -> it.processes().stream().mapToLong(Slot::replacements).sum())),
          Column.wide("Node", Form.TEXT, "Node it runs on.", group -> group.spec().node()),
          Column.wide(
              "Commands",
              Form.TEXT,
              "Commands that run by time, and how each ended last.",
              status(
                  it ->
                      it.commands().stream()
                          .map(ProcessColumns::command)
                          .collect(Collectors.joining(",")))),
          Column.wide(
              "Processes",
              Form.TEXT,
              "Its processes.",
              group ->
                  group.spec().processes().keySet().stream().collect(Collectors.joining(","))));

  static final List<Column<ProcessRow>> SLOT =
      List.of(
          Column.of("Name", Form.NAME, "Sandbox, process and number.", row -> row.slot().name()),
          Column.of("Node", Form.TEXT, "Node it runs on.", ProcessRow::node),
          Column.of("Status", Form.STATE, "Whether it runs.", row -> health(row.slot())),
          Column.of(
              "Ready",
              Form.TEXT,
              "Whether its readiness probe succeeds; Unknown until it was probed.",
              row -> row.slot().readiness().map(it -> word(it.ready())).orElse(null)),
          Column.of("PID", Form.NUMBER, "Process id.", row -> row.slot().pid().orElse(null)),
          Column.of("Uptime", Form.AGE, "Time since it was started.", row -> started(row.slot())),
          Column.of(
              "Restarts",
              Form.NUMBER,
              "Number of restarts after it had ended by itself.",
              row -> row.slot().restarts()),
          Column.of(
              "LastExit",
              Form.TEXT,
              "How it last ended.",
              row -> row.slot().lastExit().map(ProcessColumns::text).orElse(null)),
          Column.of(
              "Ended",
              Form.AGE,
              "Time since it last ended.",
              row -> row.slot().lastExit().map(ProcessGroup.Exit::at).orElse(null)),
          Column.wide(
              "Replaced",
              Form.NUMBER,
              "Number of starts in place of a process that was stopped.",
              row -> row.slot().replacements()),
          Column.wide("Image", Form.TEXT, "Image it runs.", row -> row.slot().image()),
          Column.wide(
              "Reason",
              Form.PROSE,
              "Why it does not run, or is not ready.",
              row -> reason(row.slot())));

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "HUP", 2, "INT", 3, "QUIT", 6, "ABRT", 7, "BUS", 8, "FPE", 9, "KILL", 11, "SEGV", 13,
          "PIPE", 15, "TERM");

  private static Function<Resource<ProcessGroup.Spec, ProcessGroup.Status>, @Nullable Object>
      status(Function<ProcessGroup.Status, @Nullable Object> value) {
    return group -> group.status().map(value).orElse(null);
  }

  /** Such as {@code backup:exit:0}, without the name of the group and the number. */
  private static String command(Slot slot) {
    var name = slot.name();
    return name.substring(name.indexOf('/') + 1, name.lastIndexOf('.'))
        + slot.lastExit().map(exit -> ":" + text(exit)).orElse("");
  }

  private static Health health(ProcessGroup.Status status) {
    if (status.processes().stream().anyMatch(it -> it.state() == ProcessGroup.State.REFUSED)) {
      return new Health(Tone.BAD, Reason.REFUSED.title());
    }
    if (status.running() >= status.desired()) {
      return status.desired() == 0
          ? new Health(Tone.QUIET, "Stopped")
          : new Health(Tone.GOOD, "Running");
    }
    return Health.failing(status.conditions())
        .map(condition -> new Health(Tone.BAD, condition.reason()))
        .orElse(new Health(Tone.BUSY, Reason.STARTING.title()));
  }

  private static Health health(Slot slot) {
    var word =
        slot.state().name().charAt(0) + slot.state().name().substring(1).toLowerCase(Locale.ROOT);
    return switch (slot.state()) {
      case RUNNING -> new Health(Tone.GOOD, word);
      case STOPPING -> new Health(Tone.BUSY, word);
      case WAITING ->
          new Health(
              slot.lastExit().filter(ProcessGroup.Exit::failure).isPresent()
                  ? Tone.WARN
                  : slot.cron().isPresent() ? Tone.QUIET : Tone.BUSY,
              word);
      case REFUSED -> new Health(Tone.BAD, word);
    };
  }

  private static String word(Condition.Truth truth) {
    return truth.name().charAt(0) + truth.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static String text(ProcessGroup.Exit exit) {
    return exit.signal()
        .map(signal -> "SIG" + SIGNALS.getOrDefault(signal, signal.toString()))
        .or(() -> exit.code().map(code -> "exit:" + code))
        .orElse("unknown");
  }

  private static @Nullable Object started(Slot slot) {
    return slot.state() == ProcessGroup.State.RUNNING ? slot.started().orElse(null) : null;
  }

  private static @Nullable Object reason(Slot slot) {
    if (!slot.reason().isEmpty()) {
      return slot.reason();
    }
    var unready = slot.readiness().map(ProcessGroup.Readiness::reason).filter(it -> !it.isEmpty());
    if (unready.isPresent()) {
      return unready.get();
    }
    return slot.warnings().isEmpty() ? null : String.join("; ", slot.warnings());
  }

  private ProcessColumns() {}
}
