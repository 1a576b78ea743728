package verwalter.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * How a node replaces another version of a role by this one, and how it changes this one while it
 * runs. An absent field has its default, the first one of its words.
 *
 * @param onFailure what is done if the processes of the version do not stay up after a replacement
 * @param prepare what is done before the processes of the former version end
 * @param changes when changed variables reach the running processes
 */
public record UpdatePolicy(OnFailure onFailure, Prepare prepare, Changes changes) {
  /** The policy of versions that have none. */
  public static final UpdatePolicy DEFAULT =
      new UpdatePolicy(OnFailure.WAIT, Prepare.UNPACK, Changes.LIVE);

  /** What is done if the processes of a version do not stay up after a replacement. */
  public enum OnFailure {
    /** The version stays in place, and its processes are started again as after any exit. */
    @JsonEnumDefaultValue
    @JsonProperty("wait")
    WAIT,
    /** The node goes back to the release and the files that it had before. */
    @JsonProperty("revert")
    REVERT
  }

  /** What is done before the processes of the former version end. */
  public enum Prepare {
    /**
     * The archive is downloaded, verified and unpacked, and the files are checked. The disk must
     * hold both releases.
     */
    @JsonEnumDefaultValue
    @JsonProperty("unpack")
    UNPACK,
    /**
     * The archive is downloaded and verified. It is unpacked while no process runs, after the
     * former release has been removed. Such a version cannot go back.
     */
    @JsonProperty("verify")
    VERIFY
  }

  /** When changed variables of a version reach its running processes. */
  public enum Changes {
    /** At once: files are rendered again, and processes that differ are replaced. */
    @JsonEnumDefaultValue
    @JsonProperty("live")
    LIVE,
    /** With the next restart, purge or other version, or while no process runs. */
    @JsonProperty("staged")
    STAGED
  }

  public UpdatePolicy {
    onFailure = Objects.requireNonNullElse(onFailure, OnFailure.WAIT);
    prepare = Objects.requireNonNullElse(prepare, Prepare.UNPACK);
    changes = Objects.requireNonNullElse(changes, Changes.LIVE);
  }

  /** Whether it needs the former release to go back, and removes it before. */
  boolean contradictsItself() {
    return onFailure == OnFailure.REVERT && prepare == Prepare.VERIFY;
  }

  /** Whether the former release is removed before the new one is unpacked. */
  public boolean onlyVerifies() {
    return prepare == Prepare.VERIFY && onFailure != OnFailure.REVERT;
  }
}
