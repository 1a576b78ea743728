package verwalter.cluster.sides;

/** One change of the set of electors. */
public sealed interface ElectorChange {
  /** Machine id of the node. */
  String machine();

  /**
   * The node becomes an elector.
   *
   * @param id its number in the ensemble, which no elector had before
   */
  record Add(String machine, long id) implements ElectorChange {}

  /** The node is no elector any more. */
  record Remove(String machine) implements ElectorChange {}
}
