package verwalter.client.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** The listening socket of a scripted server. */
interface ServerPort extends Closeable {
  /** The server's address in the form of {@code vw --server}. */
  String url();

  /** Waits for the next connection. */
  Peer accept() throws IOException;

  /** A connection. */
  record Peer(InputStream in, OutputStream out, Closeable socket) {}

  /** TCP on a free port of this machine. */
  static ServerPort tcp() throws IOException {
    var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    return of(socket, "http://127.0.0.1:" + socket.getLocalPort());
  }

  /**
   * TLS on a free port of this machine. With {@code clientsToo}, clients must have a trusted
   * certificate.
   */
  static ServerPort tls(SSLContext context, boolean clientsToo) throws IOException {
    var socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(clientsToo);
    return of(socket, "https://127.0.0.1:" + socket.getLocalPort());
  }

  /** A unix socket. */
  static ServerPort unix(Path file) throws IOException {
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(file));
    return new ServerPort() {
      @Override
      public String url() {
        return "unix:" + file;
      }

      @Override
      public Peer accept() throws IOException {
        SocketChannel next = server.accept();
        return new Peer(Channels.newInputStream(next), Channels.newOutputStream(next), next);
      }

      @Override
      public void close() throws IOException {
        server.close();
        java.nio.file.Files.deleteIfExists(file);
      }
    };
  }

  private static ServerPort of(ServerSocket socket, String url) {
    return new ServerPort() {
      @Override
      public String url() {
        return url;
      }

      @Override
      public Peer accept() throws IOException {
        var next = socket.accept();
        next.setTcpNoDelay(true);
        return new Peer(next.getInputStream(), next.getOutputStream(), next);
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }
}
