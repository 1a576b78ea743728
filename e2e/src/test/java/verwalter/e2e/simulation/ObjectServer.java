package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.client.testkit.SimulatedServer;
import verwalter.client.transport.Request;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Scope;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The leader's side of a {@link RemoteStore}: watches of cluster objects, writes of followers, and
 * the mirrors of their node objects. Confined to its loop.
 */
final class ObjectServer implements SimulatedServer {
  /** The interval of bookmarks. */
  private static final Duration BOOKMARKS = Duration.ofSeconds(5);

  private final ObjectStore cluster;
  private final ObjectStore mirrors;
  private final Loop loop;
  private final Map<String, Long> newest = new HashMap<>();

  /**
   * A server.
   *
   * @param mirrors the store for the node objects of followers
   */
  ObjectServer(ObjectStore cluster, ObjectStore mirrors, Loop loop) {
    this.cluster = cluster;
    this.mirrors = mirrors;
    this.loop = loop;
  }

  @Override
  public void serve(Request request, Reply reply) {
    var path = request.target().split("/", -1);
    switch (path[1]) {
      case "watch" -> watch(Kinds.named(path[2]).orElseThrow(), new Stream(reply));
      case "commit" -> commit(path[2], request, reply);
      case "mirror" -> mirror(path[2], Long.parseLong(path[3]), request, reply);
      default -> answer(reply, 404, "");
    }
  }

  private static void answer(Reply reply, int status, String text) {
    reply.head(status, Map.of());
    if (!text.isEmpty()) {
      reply.data(text.getBytes(StandardCharsets.UTF_8), reply::end);
    } else {
      reply.end();
    }
  }

  private <S, T> void watch(Kind<S, T> kind, Stream stream) {
    assertThat(kind.scope()).isEqualTo(Scope.CLUSTER);
    var watch = cluster.watch(kind, loop, change -> tell(stream, change));
    stream.onClosed(watch::close);
    loop.after(BOOKMARKS, () -> beat(stream));
  }

  private void beat(Stream stream) {
    if (!stream.closed) {
      stream.send(Lines.line("ALIVE", cluster.revision()));
      loop.after(BOOKMARKS, () -> beat(stream));
    }
  }

  private static void tell(Stream stream, Change<?, ?> change) {
    if (change instanceof Change.Put<?, ?> put) {
      stream.send(Lines.line("PUT", put.resource()));
    } else if (change instanceof Change.Removed<?, ?> removed) {
      stream.send(Lines.line("REMOVED", removed.resource()));
    } else if (change instanceof Change.Bookmark<?, ?> bookmark) {
      stream.send(Lines.line("BOOKMARK", bookmark.revision()));
    } else {
      stream.reply.reset();
    }
  }

  /** A body whose next piece is sent after the client has received the previous one. */
  private static final class Stream {
    private final Reply reply;
    private final StringBuilder pending = new StringBuilder();
    private boolean busy;
    private boolean closed;

    private Stream(Reply reply) {
      this.reply = reply;
      reply.head(200, Map.of());
    }

    private void onClosed(Runnable task) {
      reply.onClosed(
          () -> {
            closed = true;
            task.run();
          });
    }

    private void send(String text) {
      pending.append(text);
      flush();
    }

    private void flush() {
      if (!busy && !closed && pending.length() > 0) {
        busy = true;
        var bytes = pending.toString().getBytes(StandardCharsets.UTF_8);
        pending.setLength(0);
        reply.data(
            bytes,
            () -> {
              busy = false;
              flush();
            });
      }
    }
  }

  private void commit(String node, Request request, Reply reply) {
    var writes = new ArrayList<Write>();
    for (var line : Lines.all(request.body())) {
      var object = line.object();
      writes.add(
          switch (line.word()) {
            case "PUT" -> new Write.Put(object);
            case "STATUS" -> new Write.PutStatus(object);
            default -> new Write.Remove(object);
          });
    }
    writes.forEach(write -> assertThat(mayWrite(node, write)).as("%s: %s", node, write).isTrue());
    cluster
        .commit(writes, Fence.NONE)
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      if (done.succeeded()) {
                        var text = new StringBuilder();
                        done.result().forEach(each -> text.append(Lines.line("PUT", each)));
                        answer(reply, 200, text.toString());
                      } else {
                        var refused = done.cause() instanceof StoreException;
                        answer(
                            reply,
                            refused ? 409 : 500,
                            done.cause().getClass().getSimpleName() + " " + done.cause() + "\n");
                      }
                    }));
  }

  /**
   * Whether a follower may perform a write: it writes only its own Node and the status of its own
   * share.
   */
  private static boolean mayWrite(String node, Write write) {
    var object = write.resource();
    return object.name().equals(node)
        && (object.type().equals(Node.KIND)
            || (object.type().equals(NodeSchedule.KIND) && write instanceof Write.PutStatus));
  }

  /** Updates the mirrors of a node, unless a newer update was received. */
  private void mirror(String node, long number, Request request, Reply reply) {
    if (newest.getOrDefault(node, 0L) < number) {
      newest.put(node, number);
      var said = new HashMap<String, Resource<RoleInstance.Spec, RoleInstance.Status>>();
      for (var line : Lines.all(request.body())) {
        var object = instance(line.object());
        assertThat(object.spec().node()).isEqualTo(node);
        said.put(object.name(), object);
      }
      for (var present : mirrors.list(RoleInstance.KIND, new Selection.Node(node))) {
        var now = said.remove(present.name());
        if (now == null) {
          mirrors.remove(present);
        } else {
          mirrors.put(present.withSpec(now.spec()));
          now.status().ifPresent(status -> mirrors.putStatus(present.withStatus(status)));
        }
      }
      said.values()
          .forEach(
              each -> {
                var made = Resource.of(RoleInstance.KIND, each.name(), each.spec());
                mirrors.put(each.status().map(made::withStatus).orElse(made));
              });
    }
    answer(reply, 200, "");
  }

  @SuppressWarnings("unchecked") // the kind is checked
  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(Resource<?, ?> object) {
    assertThat((Object) object.type()).isEqualTo(RoleInstance.KIND);
    return (Resource<RoleInstance.Spec, RoleInstance.Status>) object;
  }

  /** The kinds that followers watch. */
  static List<Kind<?, ?>> kinds() {
    return Kinds.ALL.stream().filter(kind -> kind.scope() == Scope.CLUSTER).toList();
  }
}
