package verwalter.client.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import verwalter.client.testkit.SimulatedServer;
import verwalter.client.transport.Request;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Query;
import verwalter.stores.api.StoreException;

/** A simulated server of lists and watches of nodes, with pages and bookmarks. */
final class StoreServer implements SimulatedServer {
  private static final Pattern VERSION = Pattern.compile("resourceVersion=(\\d+)");
  private static final Pattern LIMIT = Pattern.compile("limit=(\\d+)");
  private static final Pattern CONTINUE = Pattern.compile("continue=([^&]+)");
  private final Loop loop;
  ObjectStore store;
  private long beginning;
  int lists;
  int watches;
  int expired;

  /** The name of a node whose spec is sent in a form that clients cannot decode. */
  String undecodable = "";

  StoreServer(Loop loop) {
    this.loop = loop;
  }

  /** Replaces the store. */
  void become(ObjectStore other) {
    store = other;
    beginning = other.revision();
  }

  @Override
  public void serve(Request request, Reply reply) {
    try {
      if (request.target().contains("watch=true")) {
        long after = Long.parseLong(found(VERSION, request).orElseThrow());
        if (after < beginning) {
          expired(reply, 410);
        } else {
          watches++;
          new Stream(reply).start(after);
        }
      } else {
        list(request, reply);
      }
    } catch (StoreException e) {
      expired(reply, 410);
    }
  }

  private static Optional<String> found(Pattern pattern, Request request) {
    var match = pattern.matcher(request.target());
    return match.find() ? Optional.of(match.group(1)) : Optional.empty();
  }

  private void list(Request request, Reply reply) {
    lists++;
    var limit = found(LIMIT, request).map(Integer::parseInt).orElse(0);
    var first = Query.ALL.limit(limit);
    var query = found(CONTINUE, request).map(first::continuing).orElse(first);
    var page = store.list(Node.KIND, query);
    var items = page.items().stream().map(this::sent).collect(Collectors.joining(","));
    var more = page.next().map(next -> ",\"continue\":\"" + next + "\"").orElse("");
    reply.head(200, Map.of("Content-Type", "application/json"));
    reply.data(
        "{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"%d\"%s},\"items\":[%s]}"
            .formatted(page.revision(), more, items)
            .getBytes(UTF_8),
        reply::end);
  }

  private void expired(Reply reply, int status) {
    expired++;
    reply.head(status, Map.of("Content-Type", "application/json"));
    reply.data(status().getBytes(UTF_8), reply::end);
  }

  private static String status() {
    return "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}";
  }

  private String sent(Resource<Node.Spec, Node.Status> node) {
    return node.name().equals(undecodable)
        ? json(node).replaceFirst("\"spec\":\\{[^}]*}", "\"spec\":\"of a later version\"")
        : json(node);
  }

  static String json(Resource<?, ?> object) {
    return new String(Codec.json(object), UTF_8);
  }

  /** A watch. */
  private final class Stream {
    private final Reply reply;
    private final Deque<String> events = new ArrayDeque<>();
    private Watch watch = () -> {};
    private boolean sending;
    private boolean ended;

    Stream(Reply reply) {
      this.reply = reply;
    }

    void start(long after) {
      reply.head(200, Map.of("Content-Type", "application/json"));
      watch =
          store.<Node.Spec, Node.Status>watch(
              Node.KIND, OptionalLong.of(after), loop, this::receive);
      reply.onClosed(watch::close);
    }

    private void receive(Change<Node.Spec, Node.Status> change) {
      if (change instanceof Change.Put<Node.Spec, Node.Status> put) {
        event(put.created() ? "ADDED" : "MODIFIED", sent(put.resource()));
      } else if (change instanceof Change.Removed<Node.Spec, Node.Status> removed) {
        event("DELETED", sent(removed.resource()));
      } else if (change instanceof Change.Ended<Node.Spec, Node.Status>) {
        expired++;
        event("ERROR", status());
        ended = true;
      } else {
        event(
            "BOOKMARK",
            "{\"kind\":\"Node\",\"metadata\":{\"resourceVersion\":\"%d\"}}"
                .formatted(change.revision()));
      }
      send();
    }

    private void event(String type, String object) {
      events.add("{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object));
    }

    private void send() {
      if (sending) {
        return;
      }
      if (events.isEmpty()) {
        if (ended) {
          reply.end();
        }
        return;
      }
      sending = true;
      reply.data(
          events.remove().getBytes(UTF_8),
          () -> {
            sending = false;
            send();
          });
    }
  }
}
