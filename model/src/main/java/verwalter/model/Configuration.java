package verwalter.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * The configuration in force: the scheduler and the roles of a cluster, which a leader has read
 * from its configuration directory. Its only object is {@code current}. The roles are in {@link
 * RoleConfig}, the files of the scheduler in {@link SchedulerCode}.
 */
public final class Configuration {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Configuration", "cfg", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR, Writer.CONFIG)
          .statusBy(Writer.CONFIG);

  /** The name of the configuration in force. */
  public static final String CURRENT = "current";

  /**
   * The permission of an operator.
   *
   * @param accepted the directory that may take the place of the configuration in force
   */
  public record Spec(Optional<Accepted> accepted) {
    /** No other directory is accepted. */
    public static final Spec NONE = new Spec(Optional.empty());
  }

  /**
   * A directory that an operator has accepted. A leader whose directory has these settings takes
   * it.
   *
   * @param node the node whose directory it was
   * @param settings the hash of the accepted settings, {@link ConfigHashes#settings}
   * @param instead the hash of the settings that were in force then; later ones are not replaced
   */
  public record Accepted(String node, String settings, String instead) {}

  /**
   * The configuration in force.
   *
   * @param node the node whose directory it was read from
   * @param settings the hash of these settings, {@link ConfigHashes#settings}
   * @param parts the hashes of their parts
   * @param scheduler the hash of the scheduler's code; empty if a leader uses its own files, which
   *     are too large for the cluster
   * @param pieces the number of {@link SchedulerCode} objects with that code
   */
  public record Status(
      long observedGeneration,
      String node,
      String settings,
      Map<String, String> parts,
      String scheduler,
      int pieces,
      List<Condition> conditions) {
    public Status {
      parts = Json.freeze(parts);
      conditions = List.copyOf(conditions);
    }
  }

  private Configuration() {}
}
