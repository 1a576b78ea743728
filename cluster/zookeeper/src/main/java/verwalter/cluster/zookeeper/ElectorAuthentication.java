package verwalter.cluster.zookeeper;

import java.security.cert.X509Certificate;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;

/**
 * Authenticates clients by their certificates. All electors are one user, because each of them
 * reads and writes the whole log. Created by ZooKeeper, which finds it by its name.
 */
public final class ElectorAuthentication extends X509AuthenticationProvider {
  /** The name of this provider in ZooKeeper's configuration. */
  static final String SCHEME = "x509";

  /** The user that all electors are. */
  static final String ELECTOR = "CN=elector";

  /** Creates a provider that uses the identity of the server in this JVM. */
  public ElectorAuthentication() {
    super(PresentIdentity.get().trust(), PresentIdentity.get().keys());
  }

  @Override
  protected String getClientId(X509Certificate certificate) {
    return ELECTOR;
  }
}
