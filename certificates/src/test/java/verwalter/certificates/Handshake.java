package verwalter.certificates;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A connection between two engines of TLS, in memory. */
final class Handshake {
  private static final int BUFFER = 1 << 17;

  final SSLEngine client;
  final SSLEngine server;
  private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER);

  private Handshake(SSLContext client, SSLContext server) {
    this.client = client.createSSLEngine();
    this.client.setUseClientMode(true);
    this.server = server.createSSLEngine();
    this.server.setUseClientMode(false);
    this.server.setNeedClientAuth(true);
  }

  /** Connects two members; fails with the error of the side that refuses. */
  static Handshake between(SSLContext client, SSLContext server) throws SSLException {
    var connection = new Handshake(client, server);
    connection.client.beginHandshake();
    connection.server.beginHandshake();
    for (int i = 0; i < 20; i++) {
      send(connection.client, connection.toServer, "");
      receive(connection.server, connection.toServer);
      send(connection.server, connection.toClient, "");
      receive(connection.client, connection.toClient);
    }
    if (connection.client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
        || connection.server.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      throw new SSLException("the handshake did not complete");
    }
    return connection;
  }

  /** Sends a text from the client to the server and returns what arrives. */
  String echo(String text) throws SSLException {
    send(client, toServer, text);
    return receive(server, toServer);
  }

  private static void send(SSLEngine from, ByteBuffer wire, String text) throws SSLException {
    var content = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < 20; i++) {
      runTasks(from);
      boolean due = from.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
      if (!due && !content.hasRemaining()) {
        return;
      }
      from.wrap(content, wire);
    }
  }

  private static String receive(SSLEngine to, ByteBuffer wire) throws SSLException {
    wire.flip();
    var content = ByteBuffer.allocate(BUFFER);
    for (int i = 0; i < 20 && wire.hasRemaining(); i++) {
      to.unwrap(wire, content);
      runTasks(to);
      if (to.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        break;
      }
    }
    wire.compact();
    return new String(content.array(), 0, content.position(), StandardCharsets.UTF_8);
  }

  private static void runTasks(SSLEngine engine) {
    for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
      task.run();
    }
  }
}
