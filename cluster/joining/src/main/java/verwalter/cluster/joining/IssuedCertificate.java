package verwalter.cluster.joining;

import java.util.List;

/**
 * The certificate of a node.
 *
 * @param cluster id of the cluster
 * @param certificates the certificate and that of its authority, in PEM
 * @param trust the authorities that members trust, in PEM
 * @param members the members that the new node can contact
 */
record IssuedCertificate(
    String cluster, String certificates, String trust, List<ClusterMember.Peer> members) {
  IssuedCertificate {
    members = List.copyOf(members);
  }
}
