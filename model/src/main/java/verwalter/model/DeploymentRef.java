package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One version of a role that a node needs, as a directory of files. It has the name {@code
 * ROLE@VERSION@SLOT@gGENERATION.lLOCAL@NODE}. Refs with equal digests share an {@link Artifact}.
 */
public final class DeploymentRef {
  /** The finalizer that is removed once the files of the release are removed. */
  public static final String FINALIZER = "verwalter.io/release";

  /** The field that {@code vw verify} raises. */
  public static final String VERIFY_COUNTER = "verifyCounter";

  public static final Kind<Spec, Status> KIND =
      Kind.of("DeploymentRef", "dr", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .removedByItsWriters()
          .statusBy(Writer.DEPLOYMENT)
          .finalizedBy(FINALIZER, Writer.DEPLOYMENT);

  /** The name of the object that has this spec; see {@link DeploymentName}. */
  public static String name(Spec spec) {
    return identity(spec).text();
  }

  /** The name of the release on the disk of the node; see {@link DeploymentName#key}. */
  public static String key(Spec spec) {
    return identity(spec).key();
  }

  private static DeploymentName identity(Spec spec) {
    return new DeploymentName(
        spec.role(),
        spec.version(),
        spec.slot(),
        spec.generation(),
        spec.localGeneration(),
        spec.node());
  }

  /**
   * What to deploy. All fields but {@code verifyOnly} and {@code verifyCounter} are part of the
   * identity and do not change.
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
   * @param verifyCounter the number of the last comparison of the files with their list that was
   *     requested; absent before the first one. Operators raise it.
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
      boolean verifyOnly,
      Optional<Long> verifyCounter)
      implements Commanded<Spec> {
    /** A ref whose files nobody wants to be compared. */
    public Spec(
        String role,
        String node,
        String version,
        String slot,
        long generation,
        long localGeneration,
        String source,
        Optional<String> digest,
        boolean verifyOnly) {
      this(
          role,
          node,
          version,
          slot,
          generation,
          localGeneration,
          source,
          digest,
          verifyOnly,
          Optional.empty());
    }

    /** A copy that does not unpack the files yet. */
    public Spec verifiedOnly() {
      return with(true, verifyCounter);
    }

    /** A copy that also unpacks the files. */
    public Spec unpacked() {
      return with(false, verifyCounter);
    }

    /** A copy with another number of the last comparison. */
    public Spec withVerifyCounter(Optional<Long> counter) {
      return with(verifyOnly, counter);
    }

    /** A copy for the same node under another name. */
    public Spec on(String renamed) {
      return new Spec(
          role,
          renamed,
          version,
          slot,
          generation,
          localGeneration,
          source,
          digest,
          verifyOnly,
          verifyCounter);
    }

    private Spec with(boolean only, Optional<Long> counter) {
      return new Spec(
          role, node, version, slot, generation, localGeneration, source, digest, only, counter);
    }

    @Override
    public Map<String, Long> counters() {
      return DeploymentRef.counters(verifyCounter);
    }

    @Override
    public Spec withCountersOf(Spec other) {
      return withVerifyCounter(other.verifyCounter);
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
   * @param conditions the condition {@code Prepared} keeps the first error until the step succeeds;
   *     {@code Verified} says what the last comparison has found
   * @param verifyCounter the last comparison that was carried out
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
      List<Condition> conditions,
      Optional<Long> verifyCounter)
      implements Counted {
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

    /** The status of a ref whose files were never compared. */
    public Status(
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
      this(
          observedGeneration,
          state,
          resolvedDigest,
          bytesDone,
          bytesTotal,
          path,
          attempts,
          nextRetry,
          reason,
          conditions,
          Optional.empty());
    }

    /** A copy that was computed from another generation of the spec. */
    public Status observing(long seen) {
      return new Status(
          seen,
          state,
          resolvedDigest,
          bytesDone,
          bytesTotal,
          path,
          attempts,
          nextRetry,
          reason,
          conditions,
          verifyCounter);
    }

    /** A copy with the result of a comparison. */
    public Status verified(Condition result, Optional<Long> counter) {
      return new Status(
          observedGeneration,
          state,
          resolvedDigest,
          bytesDone,
          bytesTotal,
          path,
          attempts,
          nextRetry,
          reason,
          Condition.put(conditions, result),
          counter);
    }

    /** A copy with other attempts and another reason. */
    public Status waiting(Attempts counts, Optional<Instant> retry, String why) {
      return new Status(
          observedGeneration,
          state,
          resolvedDigest,
          bytesDone,
          bytesTotal,
          path,
          counts,
          retry,
          why,
          conditions,
          verifyCounter);
    }

    @Override
    public Map<String, Long> counters() {
      return DeploymentRef.counters(verifyCounter);
    }

    /** The part of the archive that is done, from 0 to 100; empty while the size is unknown. */
    public Optional<Long> percent() {
      return bytesTotal
          .filter(total -> total > 0)
          .map(total -> Math.min(100, (long) (100.0 * bytesDone / total)));
    }
  }

  private static Map<String, Long> counters(Optional<Long> verifyCounter) {
    return verifyCounter.map(it -> Map.of(VERIFY_COUNTER, it)).orElse(Map.of());
  }

  private DeploymentRef() {}
}
