package verwalter.cli.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import verwalter.cli.http.Http;
import verwalter.cli.http.Reply;
import verwalter.cli.http.Unreachable;
import verwalter.cli.json.Json;

/**
 * Follows the objects of a query: what is there, then every change, each version of an object once.
 * A lost connection is taken up where it broke; when the server no longer knows that place, the
 * list is read again and only the differences are told.
 */
public final class Watcher {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
  private static final int LONGEST_EVENT = 64 << 20;

  private final Api api;
  private final Supplier<Http> connections;
  private final Sink sink;
  private final Map<String, Item> known = new LinkedHashMap<>();

  /** Who is told. Each method returns whether to go on. */
  public interface Sink {
    /** What a list held, as the server answered it; only items not told before. */
    boolean listed(Map<String, Object> answer, List<Item> items);

    /** One change: {@code ADDED}, {@code MODIFIED} or {@code DELETED}. */
    boolean changed(String event, Item item);

    /** Whether to go on although nothing happened; asked now and then. */
    default boolean patient() {
      return true;
    }

    /** The connection is gone, and why; returns after {@code pause}, to try again. */
    void lost(String why, Duration pause);
  }

  /**
   * @param connections makes one connection for each attempt to watch
   */
  public Watcher(Api api, Supplier<Http> connections, Sink sink) {
    this.api = api;
    this.connections = connections;
    this.sink = sink;
  }

  /** Follows until the sink has enough. */
  public void follow(Type type, Api.Shape shape, Query query) throws IOException {
    var version = list(type, shape, query);
    var pause = FIRST_PAUSE;
    while (!version.isEmpty() && sink.patient()) {
      var end = new Stream(type, shape, query, version).read();
      if (end.enough) {
        return;
      }
      version = end.version;
      pause = end.progress ? FIRST_PAUSE : pause;
      boolean expired = end.why.equals(Stream.EXPIRED);
      if (!expired && !end.why.isEmpty()) {
        sink.lost(end.why, pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
      if (expired) {
        version = listAgain(type, shape, query, pause);
      }
    }
  }

  /** The version a list was read at; empty when the sink has enough. */
  private String list(Type type, Api.Shape shape, Query query) throws IOException {
    var answer = api.list(type, shape, query);
    var items = Item.of(answer);
    var gone = new HashSet<>(known.keySet());
    items.forEach(item -> gone.remove(item.identity()));
    boolean more = true;
    for (var identity : gone) {
      var last = known.remove(identity);
      more = more && last != null && sink.changed("DELETED", last);
    }
    more = more && sink.listed(answer, items.stream().filter(this::isNew).toList());
    return more ? Json.text(answer, "metadata", "resourceVersion") : "";
  }

  private String listAgain(Type type, Api.Shape shape, Query query, Duration first)
      throws IOException {
    var pause = first;
    while (true) {
      try {
        return list(type, shape, query);
      } catch (Unreachable e) {
        sink.lost(e.why(), pause);
        pause = LONGEST_PAUSE;
      }
    }
  }

  private boolean isNew(Item item) {
    var last = known.put(item.identity(), item);
    return last == null || item.version().isEmpty() || !last.version().equals(item.version());
  }

  /** How an attempt to watch ended. */
  private record End(boolean enough, String version, boolean progress, String why) {}

  /** One attempt to watch. */
  private final class Stream {
    static final String EXPIRED = "Expired";
    private final Type type;
    private final Api.Shape shape;
    private final Query query;
    private String version;
    private boolean progress;

    Stream(Type type, Api.Shape shape, Query query, String version) {
      this.type = type;
      this.shape = shape;
      this.query = query;
      this.version = version;
    }

    End read() {
      try (var own = connections.get()) {
        var reply = api.watch(own, type, shape, query, version);
        return events(reply);
      } catch (Refused refused) {
        if (refused.code() == 410) {
          return new End(false, version, progress, EXPIRED);
        }
        if (refused.code() == 429 || refused.code() >= 500) {
          return new End(false, version, progress, refused.getMessage());
        }
        throw refused;
      } catch (Unreachable e) {
        return new End(false, version, progress, e.why());
      } catch (SocketTimeoutException quiet) {
        return new End(false, version, true, ""); // too quiet to tell from dead: ask anew
      } catch (IOException e) {
        return new End(false, version, progress, String.valueOf(e.getMessage()));
      }
    }

    private End events(Reply reply) throws IOException {
      var in = new BufferedInputStream(reply.body(), 16 << 10);
      for (var line = line(in); line.length > 0; line = line(in)) {
        if (!event(Json.readObject(line))) {
          return new End(true, version, true, "");
        }
        progress = true;
      }
      // A server may end a watch in peace; one that ends it at once must not be asked in a circle.
      return new End(false, version, progress, progress ? "" : "the server ended the watch");
    }

    private boolean event(Map<String, Object> event) {
      var kind = Json.text(event, "type");
      var object = Json.map(event, "object");
      if (kind.equals("ERROR")) {
        throw Refused.of(object);
      }
      var reached = Json.text(object, "metadata", "resourceVersion");
      boolean more = sink.patient();
      if (!kind.equals("BOOKMARK")) {
        for (var item : Item.of(object)) {
          reached = item.version().isEmpty() ? reached : item.version();
          more = more && tell(kind, item);
        }
      }
      version = reached.isEmpty() ? version : reached;
      return more;
    }

    private boolean tell(String kind, Item item) {
      if (kind.equals("DELETED")) {
        return known.remove(item.identity()) == null || sink.changed(kind, item);
      }
      return !isNew(item) || sink.changed(kind, item);
    }
  }

  private static byte[] line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        if (line.size() > 0) {
          break;
        }
      } else {
        line.write(next);
      }
      if (line.size() > LONGEST_EVENT) {
        throw new IOException("an event of the watch is longer than 64 MiB");
      }
    }
    return line.toByteArray();
  }
}
