package verwalter.model;

import java.util.Locale;

/** Which store is the master of the objects of a kind. */
public enum Scope {
  /** The cluster's store, which the leader writes. */
  CLUSTER,
  /** The store of the object's node. Other nodes have copies. */
  NODE;

  /** The word for messages and documentation: {@code cluster} or {@code node}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
