package verwalter.cluster.zookeeper;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.auth.AuthenticationProvider;

/**
 * The additional user that {@link ElectorAuthentication} gives to electors, who may change the
 * members. ZooKeeper reports an error for each node that is created by a user without a provider.
 * Nobody can authenticate with it. Created by ZooKeeper, which finds it by its name.
 */
public final class SuperUser implements AuthenticationProvider {
  @Override
  public String getScheme() {
    return "super";
  }

  @Override
  public KeeperException.Code handleAuthentication(ServerCnxn connection, byte[] data) {
    return KeeperException.Code.AUTHFAILED;
  }

  @Override
  public boolean matches(String id, String access) {
    return false;
  }

  @Override
  public boolean isAuthenticated() {
    return false;
  }

  @Override
  public boolean isValid(String id) {
    return false;
  }
}
