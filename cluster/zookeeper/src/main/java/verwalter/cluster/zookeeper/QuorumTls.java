package verwalter.cluster.zookeeper;

import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The TLS of connections between electors. Created by ZooKeeper, which finds it by its name. */
public final class QuorumTls implements Supplier<SSLContext> {
  /** Seconds in which a connection may resume the session of another one. */
  private static final int RESUMABLE = 1;

  @Override
  public SSLContext get() {
    try {
      var identity = PresentIdentity.get();
      var context = SSLContext.getInstance("TLSv1.3");
      context.init(new KeyManager[] {identity.keys()}, new TrustManager[] {identity.trust()}, null);
      context.getServerSessionContext().setSessionTimeout(RESUMABLE);
      context.getClientSessionContext().setSessionTimeout(RESUMABLE);
      return context;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
