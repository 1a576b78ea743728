package verwalter.agent;

import java.io.IOException;
import verwalter.cluster.joining.CertificateRenewals;

/** Renews the certificate of this node in time, at the leader, or by itself without one. */
final class RenewedCertificate {
  static void start(ClusterEnvironment environment, MemberIdentity identity, CurrentLeader leader)
      throws IOException {
    var tls = identity.tls();
    var enrollment = environment.enrollment(identity);
    double jitter = environment.chance().nextDouble();
    environment
        .parts()
        .add(
            "renewals",
            CertificateRenewals.start(
                environment.loop("renewals"),
                () -> tls.renewal(jitter),
                () -> enrollment.renew(tls, identity.member(), leader.contact(identity))));
  }

  private RenewedCertificate() {}
}
