package verwalter.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A version whose processes did not stay up after a replacement, because of which a node has gone
 * back to the former one. It is not tried again before another release is wanted, or before a
 * restart or a purge is requested.
 *
 * @param version its name
 * @param release name of its {@link DeploymentRef}, if it has one
 * @param reason why it failed: one line of text
 * @param at when it failed
 * @param restartCounter the last restart that was requested before
 * @param former what the node went back to
 */
public record FailedVersion(
    Optional<String> version,
    Optional<String> release,
    String reason,
    Instant at,
    Optional<Long> restartCounter,
    TemplateOutput.Next former) {}
