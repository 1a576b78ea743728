package verwalter.cluster.jgroups;

import java.net.ServerSocket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jgroups.util.DefaultSocketFactory;

/** Makes sockets with TLS 1.3 that accept clients with a certificate only. */
final class MutualTls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private MutualTls() {}

  /** The sockets of a context. New certificates take effect with the next connection. */
  static DefaultSocketFactory sockets(SSLContext context) {
    var sockets = new DefaultSocketFactory(context);
    sockets.setServerSocketConfigurator(MutualTls::requireCertificate);
    return sockets;
  }

  private static void requireCertificate(ServerSocket socket) {
    if (!(socket instanceof SSLServerSocket secure)) {
      throw new IllegalStateException("the server socket has no TLS");
    }
    secure.setEnabledProtocols(PROTOCOLS);
    secure.setNeedClientAuth(true);
  }
}
