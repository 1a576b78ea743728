package verwalter.certificates;

/** Which members of the cluster a connection accepts at its other end. */
@FunctionalInterface
public interface Peers {
  /** Everybody with a certificate of the cluster. */
  Peers ANY = name -> true;

  /** Every node. */
  Peers NODES = name -> name.type() == CertifiedName.Type.NODE;

  /** Every elector. */
  Peers ELECTORS = CertifiedName::elector;

  boolean accept(CertifiedName name);

  /** One node. */
  static Peers node(String node) {
    return name -> NODES.accept(name) && name.name().equals(node);
  }
}
