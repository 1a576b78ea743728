package verwalter.cluster.mirror;

/**
 * What the mirrors of a leader have received and sent, in numbers since the beginning of the term.
 *
 * @param messages received messages
 * @param bytes received bytes, as compressed
 * @param sentBytes sent bytes, as compressed
 * @param objects received objects and removals
 * @param differences how often a digest of a kind differed from the node's
 * @param refused connections that were closed because a node sent what it must not send
 * @param forwarded forwarded transactions
 */
public record MirrorFigures(
    long messages,
    long bytes,
    long sentBytes,
    long objects,
    long differences,
    long refused,
    long forwarded) {}
