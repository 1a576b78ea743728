package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Free ports of this machine. */
final class Ports {
  private static int next = 21_000 + (int) (ProcessHandle.current().pid() % 1000) * 10;

  private Ports() {}

  /** The first of three consecutive ports that are free now. */
  static synchronized int three() {
    while (true) {
      next = next > 31_900 ? 21_000 : next + 3;
      if (isFree(next) && isFree(next + 1) && isFree(next + 2)) {
        return next;
      }
    }
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
