package verwalter.model;

import java.util.List;
import java.util.Optional;

/** An archive on the disk of a node, or one that the node fetches, for all refs that need it. */
public final class Artifact {
  /** The finalizer that is removed once the archive is removed. */
  public static final String FINALIZER = "verwalter.io/blob";

  public static final Kind<Spec, Status> KIND =
      Kind.of("Artifact", "art", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.DEPLOYMENT)
          .removedByItsWriters()
          .statusBy(Writer.DEPLOYMENT)
          .finalizedBy(FINALIZER, Writer.DEPLOYMENT);

  /**
   * The name of the artifact with this digest on this node.
   *
   * @param digest {@code sha256:} and 64 hexadecimal digits
   */
  public static String name(String digest, String node) {
    return Names.fitting(digest.substring(digest.indexOf(':') + 1) + "@" + node);
  }

  /**
   * The identity of the archive.
   *
   * @param node name of the node
   * @param digest {@code sha256:} and 64 hexadecimal digits
   */
  public record Spec(String node, String digest) {}

  /**
   * The states of an archive in their order. It is compared with its digest while it arrives, so
   * {@code DOWNLOADED} and {@code VERIFYING} are never seen.
   */
  public enum State {
    /** It is not on the disk. */
    NONE,
    /** It is downloaded, waits for its turn, or waits for the next attempt. */
    DOWNLOADING,
    /** All bytes have arrived. */
    DOWNLOADED,
    /** The bytes are compared with the digest. */
    VERIFYING,
    /** It is on the disk, and has the digest. */
    VERIFIED
  }

  /**
   * The state of the archive.
   *
   * @param state its state
   * @param size bytes of the archive; empty while they are unknown
   * @param done bytes that have arrived
   * @param users names of the refs that need it
   * @param attempts failed downloads since the last success, of the user with the most
   * @param reason the last error; may be empty
   */
  public record Status(
      long observedGeneration,
      State state,
      Optional<Long> size,
      long done,
      List<String> users,
      long attempts,
      String reason) {
    public Status {
      users = List.copyOf(users);
    }
  }

  private Artifact() {}
}
