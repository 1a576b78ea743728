package verwalter.cluster;

/**
 * A period in which one node leads.
 *
 * @param leader machine id of the node that leads
 * @param epoch larger than the epoch of every term before it
 */
public record Term(String leader, long epoch) {}
