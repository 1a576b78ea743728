package verwalter.concurrent.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;

/** A port that forwards connections to another port of this machine, and can stop doing so. */
public final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int to;
  private final Set<Socket> open = new HashSet<>();
  private boolean cut;

  /** Opens a port that forwards to the port {@code to}. */
  public Relay(int to) throws IOException {
    this.to = to;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable task) {
    var thread = new Thread(task, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** The port that forwards. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var near = server.accept();
        var far = new Socket();
        synchronized (this) {
          open.add(near);
          open.add(far);
        }
        start(() -> connect(near, far));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket near, Socket far) {
    try {
      passable();
      far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
      start(() -> forward(far, near));
      forward(near, far);
    } catch (IOException refused) {
      end(near);
      end(far);
    }
  }

  private void forward(Socket from, Socket into) {
    var buffer = new byte[65_536];
    try (from;
        into) {
      for (int count = from.getInputStream().read(buffer);
          count >= 0;
          count = from.getInputStream().read(buffer)) {
        passable();
        into.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException ended) {
      // the other direction ends too
    }
  }

  /** Waits while the relay is cut. */
  private synchronized void passable() throws IOException {
    while (cut) {
      try {
        wait();
      } catch (InterruptedException stopped) {
        throw new IOException(stopped);
      }
    }
  }

  /** Forwards nothing, and keeps all connections. */
  public synchronized void cut() {
    cut = true;
  }

  /** Forwards again, also what was sent meanwhile. */
  public synchronized void restore() {
    cut = false;
    notifyAll();
  }

  /** Ends all connections. */
  public synchronized void interrupt() {
    open.forEach(Relay::end);
    open.clear();
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // it is closed already
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    restore();
    interrupt();
  }
}
