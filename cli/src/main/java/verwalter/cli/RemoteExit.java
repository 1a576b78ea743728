package verwalter.cli;

/**
 * The end of a command that {@code vw} has run on a node.
 *
 * @param code its exit code, or 128 plus the number of the signal that killed it
 */
record RemoteExit(int code) implements VerbResult {}
