package verwalter.client;

import java.io.IOException;
import java.util.LinkedHashMap;
import verwalter.client.transport.Request;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.WebSocket;

/** Opens WebSockets at the server of an {@link ApiClient}. */
public final class WebSockets {
  /**
   * Opens a WebSocket. Blocks until the server has answered.
   *
   * @param path with its query, escaped
   * @param key 16 random bytes
   * @throws ApiException if the server refuses it
   */
  public static WebSocket open(
      SocketTransport transport, ApiClient.Settings settings, String path, byte[] key)
      throws IOException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("User-Agent", settings.agent());
    headers.put("Accept", "application/json");
    settings.token().ifPresent(it -> headers.put("Authorization", "Bearer " + it));
    settings.log().accept("GET " + settings.server() + path + " (WebSocket)");
    return transport
        .webSocket(
            Request.of("GET", path, headers),
            key,
            (status, answered, body) -> {
              throw ApiException.of(status, answered, body);
            })
        .orElseThrow(() -> new IOException("the server refuses the WebSocket"));
  }

  private WebSockets() {}
}
