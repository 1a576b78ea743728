package verwalter.ui.access;

import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/** The user of the process at the other end of a unix socket. */
final class PeerUser {
  /**
   * The name of the user, as the kernel reports it; empty if it does not, as for a closed socket.
   */
  static Optional<String> of(HttpConnection connection) {
    if (!(connection instanceof HttpServerConnection server)) {
      return Optional.empty();
    }
    var option = NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED);
    try {
      var peer = server.channelHandlerContext().channel().config().getOption(option);
      return Optional.ofNullable(peer).map(it -> it.user().getName());
    } catch (ChannelException closed) {
      return Optional.empty();
    }
  }

  private PeerUser() {}
}
