package verwalter.agent;

import java.io.IOException;
import java.time.InstantSource;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Pki;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;

/**
 * This node as a member of its cluster, and how it proves that.
 *
 * @param pki its keys and certificates
 * @param tls connects it with other members
 */
record MemberIdentity(ClusterMember member, ClusterFiles files, Pki pki, ClusterTls tls) {
  static MemberIdentity of(ClusterMember member, ClusterFiles files, InstantSource clock)
      throws IOException {
    var pki = files.pki();
    return new MemberIdentity(member, files, pki, new ClusterTls(pki, member.cluster(), clock));
  }

  /** The name of the node. */
  String node() {
    return member.node();
  }

  /** The machine id, lower-case hex. */
  String machine() {
    return member.machine();
  }

  /** The cluster address of this node. */
  Address address() {
    return Address.of(member.addresses().get(0));
  }

  /** Whether this node founded its cluster. */
  boolean isFounder() {
    return member.isElector() && member.members().isEmpty();
  }
}
