package verwalter.ui.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends updates to all open pages, in order. Every message has an id. A page that reconnects with a
 * recent id gets the messages since then, any other the whole page. Belongs to the loop.
 */
final class Feed {
  private static final int REMEMBERED = 128;

  /** The limit of the kept messages in bytes. One that changes all rows of many roles is large. */
  private static final int MOST_REMEMBERED = 1 << 20;

  private static final int MOST_QUEUED = 1 << 20;

  private final String epoch;
  private final Supplier<String> whole;
  private final Deque<Message> sent = new ArrayDeque<>();
  private final Set<Client> clients = new LinkedHashSet<>();
  private long last;
  private long remembered;

  private record Message(long number, Buffer bytes) {}

  /** One open page. */
  final class Client {
    private final HttpServerResponse response;
    private boolean behind;

    private Client(HttpServerResponse response) {
      this.response = response;
    }

    private void send(Buffer bytes) {
      if (behind || response.writeQueueFull()) {
        behind = true;
      } else {
        response.write(bytes);
      }
    }

    /** The connection has room again: send the whole page if a message was skipped. */
    void drained() {
      if (behind && clients.contains(this)) {
        behind = false;
        response.write(message("whole", last, whole.get()));
      }
    }

    void leave() {
      clients.remove(this);
    }
  }

  /**
   * A feed without clients.
   *
   * @param epoch distinguishes the ids of this server from those of an earlier one
   * @param whole the whole page, as the data of a message
   */
  Feed(String epoch, Supplier<String> whole) {
    this.epoch = epoch;
    this.whole = whole;
  }

  /** The id of the last message. */
  String lastId() {
    return epoch + "-" + last;
  }

  /** Whether any page is open. */
  boolean hasListeners() {
    return !clients.isEmpty();
  }

  /** Adds a page that has seen the message with the id {@code after}. */
  Client join(HttpServerResponse response, String after) {
    response.setWriteQueueMaxSize(MOST_QUEUED);
    var client = new Client(response);
    clients.add(client);
    response.write(Buffer.buffer("retry: 2000\n\n"));
    long known = number(after);
    boolean resumes =
        known == last || (!sent.isEmpty() && known >= sent.getFirst().number() - 1 && known < last);
    if (!resumes) {
      client.send(message("whole", last, whole.get()));
      return client;
    }
    sent.stream().filter(it -> it.number() > known).forEach(it -> client.send(it.bytes()));
    return client;
  }

  private long number(String id) {
    try {
      return id.startsWith(epoch + "-") ? Long.parseLong(id.substring(epoch.length() + 1)) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Sends a message to all and keeps it for pages that reconnect. */
  void send(String event, String data) {
    var message = new Message(++last, message(event, last, data));
    sent.add(message);
    remembered += message.bytes().length();
    while (sent.size() > REMEMBERED || remembered > MOST_REMEMBERED) {
      remembered -= sent.remove().bytes().length();
    }
    clients.forEach(client -> client.send(message.bytes()));
  }

  /** The bytes of the messages that are kept for pages that reconnect. */
  long remembered() {
    return remembered;
  }

  /** Reports to all pages that everything may have changed. */
  void sendWhole() {
    sent.clear();
    remembered = 0;
    last++;
    if (hasListeners()) {
      var bytes = message("whole", last, whole.get());
      clients.forEach(client -> client.send(bytes));
    }
  }

  /** Sends a heartbeat, which is not kept. */
  void beat(String data) {
    var bytes = Buffer.buffer("event: beat\ndata: " + data + "\n\n");
    clients.forEach(client -> client.send(bytes));
  }

  /** Ends all streams. */
  void close() {
    Set.copyOf(clients).forEach(client -> client.response.end());
    clients.clear();
  }

  private Buffer message(String event, long number, String data) {
    return Buffer.buffer(
        "id: %s-%d\nevent: %s\ndata: %s\n\n".formatted(epoch, number, event, data));
  }
}
