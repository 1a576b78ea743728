package verwalter.cluster.mirror;

/**
 * The other end of a connection, as its certificate identifies it.
 *
 * @param node name of the node
 * @param machine id of its machine
 */
public record MirrorPeer(String node, String machine) {}
