package verwalter.ui.table;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health.Tone;

/** The columns of nodes. */
public final class NodeColumns {
  static final List<Column<Resource<Node.Spec, Node.Status>>> ALL =
      List.of(
          CommonColumns.name(),
          Column.of("Status", Form.STATE, "Whether the machine is ready.", NodeColumns::health),
          Column.of(
              "Ready",
              Form.NUMBER,
              "Roles in the desired state, of those assigned to it.",
              status(it -> it.roles().ready() + "/" + it.roles().given())),
          Column.of("Failing", Form.NUMBER, "Roles that fail.", status(it -> it.roles().failing())),
          Column.of(
              "Schedule",
              Form.HASH,
              "Schedule that last changed its NodeSchedule.",
              status(it -> it.schedule().map(CommonColumns::shortly).orElse(null))),
          CommonColumns.age(),
          Column.wide(
              "Address",
              Form.TEXT,
              "Address of its HTTP API.",
              status(it -> it.addresses().isEmpty() ? null : it.addresses().get(0))),
          Column.wide(
              "CPUs", Form.NUMBER, "Number of processors.", status(it -> it.capacity().cpus())),
          Column.wide(
              "Memory",
              Form.NUMBER,
              "Size of its memory.",
              status(it -> memory(it.capacity().memoryBytes()))),
          Column.wide(
              "Log",
              Form.TEXT,
              "Whether it is an elector of its cluster, a spare server of the log, or an observer.",
              NodeColumns::log),
          Column.wide("OS", Form.TEXT, "Operating system.", fact("os")),
          Column.wide("Kernel", Form.TEXT, "Kernel.", fact("kernel")),
          Column.wide("Agent", Form.TEXT, "Version of its agent.", fact("agentVersion")),
          Column.wide(
              "Problem",
              Form.PROSE,
              "Message of the first problem.",
              status(it -> Health.failing(it.conditions()).map(Condition::message).orElse(null))));

  /** The state of a node, such as {@code Ready}. */
  public static Health health(Resource<Node.Spec, Node.Status> node) {
    var ready =
        node.status().flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
    var mark = node.spec().draining() ? ",Draining" : node.spec().cordoned() ? ",Cordoned" : "";
    if (ready.isEmpty() || ready.get().status() == Condition.Truth.UNKNOWN) {
      return mark.isEmpty() ? Health.UNKNOWN : new Health(Tone.QUIET, "Unknown" + mark);
    }
    if (ready.get().isFalse()) {
      return new Health(Tone.BAD, Reason.NOT_READY.title() + mark);
    }
    return new Health(mark.isEmpty() ? Tone.GOOD : Tone.WARN, "Ready" + mark);
  }

  private static Function<Resource<Node.Spec, Node.Status>, @Nullable Object> status(
      Function<Node.Status, @Nullable Object> value) {
    return node -> node.status().map(value).orElse(null);
  }

  private static Function<Resource<Node.Spec, Node.Status>, @Nullable Object> fact(String fact) {
    return status(it -> it.facts().get(fact));
  }

  private static @Nullable String log(Resource<Node.Spec, Node.Status> node) {
    var place = node.meta().annotations().get(Node.ELECTOR);
    if (place != null) {
      return place.endsWith(" votes") ? "elector" : "spare";
    }
    return node.meta().has(Node.MEMBER) ? "observer" : null;
  }

  private static @Nullable String memory(long bytes) {
    return Optional.of(bytes)
        .filter(some -> some > 0)
        .map(some -> "%.1fGi".formatted(some / (double) (1L << 30)))
        .orElse(null);
  }

  private NodeColumns() {}
}
