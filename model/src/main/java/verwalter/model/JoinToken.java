package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A token with which a machine joins the cluster. The object contains a hash of the token's secret,
 * never the secret. Deleting the object revokes the token. It grants access, so only admins may
 * read, create and delete such objects.
 */
public final class JoinToken {
  public static final Kind<Spec, Status> KIND =
      Kind.of("JoinToken", "jt", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR)
          .statusBy(Writer.JOIN)
          .removedBy(Writer.JOIN);

  /** The largest number of uses of one token. */
  public static final int MOST_USES = 10_000;

  /** The number of uses that the status lists. */
  public static final int MOST_LISTED = 16;

  /** The annotation of a token that lets a node take the token's name: its present name. */
  public static final String RENAMES = "verwalter.io/renames";

  /** The present name of the node that may take the token's name; empty for other tokens. */
  public static Optional<String> renames(Resource<Spec, Status> token) {
    return Optional.ofNullable(token.meta().annotations().get(RENAMES));
  }

  /** What a token is for. */
  public enum Purpose {
    /** A machine becomes a node of the cluster. */
    @JsonProperty("Node")
    NODE,
    /** A machine reads a channel. */
    @JsonProperty("Channel")
    CHANNEL
  }

  /**
   * The permission.
   *
   * @param purpose what the token is for
   * @param name the only node that may join with it, which may exist already; or the channel. Empty
   *     for any new node
   * @param hash SHA-256 of the secret, lower-case hex
   * @param uses how often the token can be used
   * @param expires when the token becomes invalid
   * @param createdBy who created it, as they said
   */
  public record Spec(
      Purpose purpose,
      Optional<String> name,
      String hash,
      int uses,
      Instant expires,
      String createdBy) {}

  /**
   * The uses so far.
   *
   * @param used how often it was used
   * @param uses the last uses, oldest first
   */
  public record Status(long observedGeneration, int used, List<Use> uses) {
    /** The status of a token that was not used. */
    public static final Status UNUSED = new Status(0, 0, List.of());

    public Status {
      uses = List.copyOf(uses);
    }
  }

  /**
   * A use of a token. A machine that repeats its request, because it has not received the answer,
   * does not use the token again.
   *
   * @param node name of the node
   * @param machine its machine id
   * @param key SHA-256 of its public key, lower-case hex
   * @param at when it was used
   */
  public record Use(String node, String machine, String key, Instant at) {
    /** Whether this is the same request, ignoring the time. */
    public boolean isSame(Use other) {
      return node.equals(other.node) && machine.equals(other.machine) && key.equals(other.key);
    }
  }

  /** How often a token was used. */
  public static int used(Resource<Spec, Status> token) {
    return token.status().map(Status::used).orElse(0);
  }

  private JoinToken() {}
}
