package verwalter.cluster.mirror;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the mirror of one node.
 *
 * @param connected whether the node is connected
 * @param complete whether the mirror had all objects of the node at least once in this term
 * @param confirmed when the node last confirmed the mirror, by the leader's clock
 * @param objects number of objects
 */
public record MirrorState(
    boolean connected, boolean complete, Optional<Instant> confirmed, int objects) {}
