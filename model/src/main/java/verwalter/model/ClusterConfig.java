package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the whole cluster. The only object has the name {@code cluster}; without it the
 * {@linkplain Spec#DEFAULT defaults} hold. It says who votes, so only admins may create, change and
 * delete it.
 */
public final class ClusterConfig {
  public static final Kind<Spec, Status> KIND =
      Kind.of("ClusterConfig", "cc", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR, Writer.MEMBERSHIP)
          .statusBy(Writer.MEMBERSHIP);

  /** The name of the object. */
  public static final String NAME = "cluster";

  /**
   * What operators want.
   *
   * @param electors the number of nodes that vote, if there are enough nodes: 1, 3, 5 or 7
   * @param replaceElectorAfterSeconds for how long an elector is not ready before another node
   *     votes in its place
   */
  public record Spec(int electors, long replaceElectorAfterSeconds) {
    /** Three electors; a lost one is replaced after ten minutes. */
    public static final Spec DEFAULT = new Spec(3, 600);
  }

  /**
   * The state of the membership.
   *
   * @param removed the nodes that were removed, oldest first
   */
  public record Status(long observedGeneration, List<Removal> removed) {
    /** The status of a cluster from which no node was removed. */
    public static final Status NONE_REMOVED = new Status(0, List.of());

    public Status {
      removed = List.copyOf(removed);
    }
  }

  /**
   * The removal of a node. The certificates that were issued to it are not accepted any more.
   *
   * @param node its name
   * @param uid that of its object
   * @param at when it was removed
   */
  public record Removal(String node, Optional<String> uid, Instant at) {}

  private ClusterConfig() {}
}
