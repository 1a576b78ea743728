package verwalter.cluster.zookeeper;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/** The servers that run in this JVM, which is one except in tests. */
final class RunningServers {
  private static final Set<IntConsumer> SERVERS = ConcurrentHashMap.newKeySet();

  private RunningServers() {}

  /** Thrown instead of an exit of the JVM. An error, because ZooKeeper handles exceptions. */
  static final class Exit extends Error {
    private static final long serialVersionUID = 1;

    Exit(int code) {
      super("the server ended with code " + code, null, false, false);
    }
  }

  static void add(IntConsumer exited) {
    SERVERS.add(exited);
  }

  static void remove(IntConsumer exited) {
    SERVERS.remove(exited);
  }

  /** Called by ZooKeeper to exit the JVM. Never returns, so that no caller goes on. */
  static void exit(int code) {
    SERVERS.forEach(each -> each.accept(code));
    throw new Exit(code);
  }
}
