package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The replacement of the authority that issues the certificates of the cluster. The object {@code
 * current} starts one; the leader carries it out. It changes whom all nodes trust, so only admins
 * may create, change and delete it.
 */
public final class AuthorityChange {
  /** The name of the only object of this kind that has an effect. */
  public static final String CURRENT = "current";

  /** The finalizer that is removed when the change is done. */
  public static final String FINALIZER = "verwalter.io/authority";

  public static final Kind<Spec, Status> KIND =
      Kind.of("AuthorityChange", "ac", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR)
          .statusBy(Writer.JOIN)
          .finalizedBy(FINALIZER, Writer.JOIN)
          .removedBy(Writer.JOIN);

  /** How far a change is, in order. */
  public enum Phase {
    /** All nodes begin to trust the new authority, in addition to the old one. */
    @JsonProperty("Distribute")
    DISTRIBUTE,
    /** All nodes get certificates of the new authority. */
    @JsonProperty("Renew")
    RENEW,
    /** All nodes stop trusting the old authority. */
    @JsonProperty("Retire")
    RETIRE,
    /** The old authority is not trusted any more. */
    @JsonProperty("Done")
    DONE
  }

  /**
   * The request of an admin.
   *
   * @param abort whether to return to the old authority, which is possible in the phase {@code
   *     Distribute} only
   * @param without nodes that the change does not wait for; they must join again afterwards
   */
  public record Spec(boolean abort, List<String> without) {
    public Spec {
      without = List.copyOf(without);
    }
  }

  /**
   * How far it is.
   *
   * @param phase the present phase
   * @param old certificate of the authority that is replaced, in PEM
   * @param next certificate of the new one, in PEM
   * @param aborted whether the change was aborted: then {@code next} is the earlier authority
   * @param waiting nodes that have something to do in this phase
   */
  public record Status(
      long observedGeneration,
      Phase phase,
      String old,
      String next,
      boolean aborted,
      List<Waiting> waiting) {
    public Status {
      waiting = List.copyOf(waiting);
    }
  }

  /**
   * A node that the change waits for.
   *
   * @param node name of the node
   * @param reason what it has to do
   */
  public record Waiting(String node, String reason) {}

  private AuthorityChange() {}
}
