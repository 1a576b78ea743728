package verwalter.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a node has granted to a role instance before its processes start.
 *
 * @param memory bytes of the node's memory that are reserved for it; absent if none are
 * @param delayed the versions whose first start on the node was delayed, the newest last; at most
 *     {@link #MOST_DELAYED}
 * @param until when the delay of the newest of them ends, by the clock of the node; absent when it
 *     has ended
 * @param boot the start of the machine during which it had processes to run; absent if it has none.
 *     After the next start of the machine it is the one before, until the processes run again.
 */
public record StartGrant(
    Optional<Long> memory,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> delayed,
    Optional<Instant> until,
    Optional<String> boot) {
  /** The number of delayed versions that are remembered. */
  public static final int MOST_DELAYED = 8;

  /** Nothing is granted. */
  public static final StartGrant NONE =
      new StartGrant(Optional.empty(), List.of(), Optional.empty(), Optional.empty());

  public StartGrant {
    delayed = List.copyOf(delayed);
  }

  /** A copy with another reservation: that many bytes, or none if it is zero. */
  public StartGrant withMemory(long bytes) {
    return new StartGrant(Optional.of(bytes).filter(it -> it > 0), delayed, until, boot);
  }

  /** A copy in which the first start of that version is delayed until that time. */
  public StartGrant delaying(String version, Instant end) {
    var versions = new ArrayList<>(delayed);
    versions.remove(version);
    versions.add(version);
    return new StartGrant(
        memory,
        versions.subList(Math.max(0, versions.size() - MOST_DELAYED), versions.size()),
        Optional.of(end),
        boot);
  }

  /** A copy after the end of the delay. */
  public StartGrant undelayed() {
    return new StartGrant(memory, delayed, Optional.empty(), boot);
  }

  /** A copy with another start of the machine. */
  public StartGrant withBoot(Optional<String> other) {
    return new StartGrant(memory, delayed, until, other);
  }

  /** Bytes that are reserved. */
  public long reserved() {
    return memory.orElse(0L);
  }

  /** Whether the first start of that version is delayed now. */
  public boolean delays(String version) {
    return until.isPresent()
        && !delayed.isEmpty()
        && delayed.get(delayed.size() - 1).equals(version);
  }

  /** Whether the first start of that version is or was delayed. */
  public boolean knows(String version) {
    return delayed.contains(version);
  }
}
