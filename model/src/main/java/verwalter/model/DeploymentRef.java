package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One version of a role that a node needs, as a directory of files. It has the name {@code
 * ROLE@VERSION@SLOT@gGENERATION.lLOCAL@NODE}. Refs with equal digests share an {@link Artifact}.
 */
public final class DeploymentRef {
  /** The finalizer that is removed once the files of the release are removed. */
  public static final String FINALIZER = "verwalter.io/release";

  public static final Kind<Spec, Status> KIND =
      Kind.of("DeploymentRef", "dr", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .removedByItsWriters()
          .statusBy(Writer.DEPLOYMENT)
          .finalizedBy(FINALIZER, Writer.DEPLOYMENT);

  /** The name of the object that has this spec; see {@link DeploymentName}. */
  public static String name(Spec spec) {
    return new DeploymentName(
            spec.role(),
            spec.version(),
            spec.slot(),
            spec.generation(),
            spec.localGeneration(),
            spec.node())
        .text();
  }

  /**
   * What to deploy. All fields but {@code verifyOnly} are part of the identity and do not change.
   *
   * @param role name of the role
   * @param node name of the node
   * @param version name of the version of the role
   * @param slot name of the part of the role that the files are for, such as {@code main}
   * @param generation number of the version as the schedule counts it; the same version with
   *     another number is deployed anew
   * @param localGeneration the same, as the node counts it
   * @param source a path or a URL
   * @param digest what the archive must have: {@code sha256:} and 64 hexadecimal digits; if empty,
   *     the archive that the source has at first is used and its digest is kept
   * @param verifyOnly whether only the archive is prepared and its files are not unpacked yet; may
   *     change to false once
   */
  public record Spec(
      String role,
      String node,
      String version,
      String slot,
      long generation,
      long localGeneration,
      String source,
      Optional<String> digest,
      boolean verifyOnly) {
    /** A copy that also unpacks the files. */
    public Spec unpacked() {
      return new Spec(
          role, node, version, slot, generation, localGeneration, source, digest, false);
    }
  }

  /**
   * The states of a release in their order. A download is compared with its digest while it
   * arrives, so {@code DOWNLOADED} is never seen, and {@code VERIFYING} only if the comparison has
   * failed for the last time.
   */
  public enum State {
    /** Nothing was done yet, or the digest is malformed, or the files have vanished. */
    INITIAL,
    /** The archive is downloaded to learn its digest. */
    RESOLVING,
    /** The digest is known. */
    RESOLVED,
    /** The archive is downloaded, waits for its turn, or waits for the next attempt. */
    DOWNLOADING,
    /** All bytes have arrived. */
    DOWNLOADED,
    /** The bytes are compared with the digest. */
    VERIFYING,
    /** The archive is on the disk, and has the digest. */
    VERIFIED,
    /** The archive is unpacked, waits for its turn, or waits for the next attempt. */
    CREATING,
    /** All files of the release are on the disk. */
    CREATED;

    /** Whether this state comes after the other one, or is the same. */
    public boolean atLeast(State other) {
      return compareTo(other) >= 0;
    }
  }

  /**
   * Failed attempts, by step, since the step last succeeded.
   *
   * @param resolve to learn the digest
   * @param download of the archive
   * @param verify downloads that had another digest
   * @param create to unpack the archive
   * @param destroy to remove the files of a deleted ref
   */
  public record Attempts(long resolve, long download, long verify, long create, long destroy) {
    /** No attempt has failed. */
    public static final Attempts NONE = new Attempts(0, 0, 0, 0, 0);
  }

  /**
   * How far the release is.
   *
   * @param state its state
   * @param resolvedDigest the digest; never changes once it is known
   * @param bytesDone bytes of the archive that are downloaded or, while it is unpacked, read
   * @param bytesTotal bytes of the archive; empty while they are unknown
   * @param path directory with the files, in the state {@code CREATED}
   * @param attempts number of failed attempts
   * @param nextRetry when a failed step is tried again; empty if nothing has failed, or if trying
   *     again does not help until the spec changes
   * @param reason the last error, or what it waits for: one line of text; may be empty
   * @param conditions the condition {@code Prepared} keeps the first error until the step succeeds
   */
  public record Status(
      long observedGeneration,
      State state,
      Optional<String> resolvedDigest,
      long bytesDone,
      Optional<Long> bytesTotal,
      Optional<String> path,
      Attempts attempts,
      Optional<Instant> nextRetry,
      String reason,
      List<Condition> conditions) {
    /** The status of a ref that was not looked at yet. */
    public static final Status INITIAL =
        new Status(
            0,
            State.INITIAL,
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            Attempts.NONE,
            Optional.empty(),
            "",
            List.of());

    public Status {
      conditions = List.copyOf(conditions);
    }

    /** The part of the archive that is done, from 0 to 100; empty while the size is unknown. */
    public Optional<Long> percent() {
      return bytesTotal
          .filter(total -> total > 0)
          .map(total -> Math.min(100, (long) (100.0 * bytesDone / total)));
    }
  }

  private DeploymentRef() {}
}
