package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import verwalter.client.testkit.SimulatedServer;
import verwalter.client.transport.Request;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The leader's side of a {@link RemoteStore}: the log of cluster objects, writes of followers, and
 * the mirrors of their node objects. Confined to its loop.
 */
final class ObjectServer implements SimulatedServer {
  /** The interval of signs of life. */
  private static final Duration BEATS = Duration.ofSeconds(5);

  /** The rights of the other machines. */
  interface Rights {
    /** The rights of followers: their own Node, and the status of their own share. */
    Rights OF_FOLLOWERS =
        new Rights() {
          @Override
          public boolean mayWrite(String node, Write write) {
            var object = write.resource();
            return object.name().equals(node)
                && (object.type().equals(Node.KIND)
                    || (object.type().equals(NodeSchedule.KIND)
                        && write instanceof Write.PutStatus));
          }

          @Override
          public boolean mayLead(String node) {
            return false;
          }
        };

    /** Whether a machine may perform a write. */
    boolean mayWrite(String node, Write write);

    /** Whether a machine may begin an epoch and fence its writes. */
    boolean mayLead(String node);
  }

  private final EpochStore cluster;
  private final SharedLog log;
  private final ObjectStore mirrors;
  private final Loop loop;
  private final Rights rights;
  private final Map<String, Long> newest = new HashMap<>();

  /**
   * A server.
   *
   * @param log the log of {@code cluster}
   * @param mirrors the store for the node objects of followers
   */
  ObjectServer(EpochStore cluster, SharedLog log, ObjectStore mirrors, Loop loop, Rights rights) {
    this.cluster = cluster;
    this.log = log;
    this.mirrors = mirrors;
    this.loop = loop;
    this.rights = rights;
  }

  @Override
  public void serve(Request request, Reply reply) {
    var path = request.target().split("/", -1);
    switch (path[1]) {
      case "log" -> log(Long.parseLong(path[2]), new Stream(reply));
      case "commit" -> commit(path[2], fence(path), request, reply);
      case "epoch" -> epoch(path[2], Long.parseLong(path[3]), reply);
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

  /** Sends the entries after {@code index}, and later ones as they are appended. */
  private void log(long index, Stream stream) {
    stream.send(Lines.line("END", log.last()));
    var sent = new long[] {index};
    Runnable send =
        () -> {
          while (sent[0] < log.last()) {
            var bytes = Base64.getEncoder().encodeToString(log.entry(++sent[0]));
            stream.send(Lines.line("ENTRY", bytes));
          }
        };
    send.run();
    stream.onClosed(log.onAppend(() -> loop.execute(send)));
    loop.after(BEATS, () -> beat(stream));
  }

  private void beat(Stream stream) {
    if (!stream.closed) {
      stream.send(Lines.line("ALIVE", log.last()));
      loop.after(BEATS, () -> beat(stream));
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

  private Fence fence(String[] path) {
    assertThat(path.length == 3 || rights.mayLead(path[2])).as("%s leads", path[2]).isTrue();
    return path.length == 3 ? Fence.NONE : Fence.epoch(Long.parseLong(path[3]));
  }

  private void commit(String node, Fence fence, Request request, Reply reply) {
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
    writes.forEach(
        write -> assertThat(rights.mayWrite(node, write)).as("%s: %s", node, write).isTrue());
    answer(
        cluster.commit(writes, fence),
        done -> done.stream().map(each -> Lines.line("PUT", each)).collect(Collectors.joining()),
        reply);
  }

  private void epoch(String node, long atLeast, Reply reply) {
    assertThat(rights.mayLead(node)).as("%s leads", node).isTrue();
    answer(cluster.beginEpoch(atLeast), epoch -> Lines.line("EPOCH", epoch), reply);
  }

  private <V> void answer(Future<V> write, Function<V, String> text, Reply reply) {
    write.onComplete(
        done ->
            loop.execute(
                () -> {
                  if (done.succeeded()) {
                    answer(reply, 200, text.apply(done.result()));
                  } else {
                    var why = done.cause();
                    int status = why instanceof StoreException ? 409 : 500;
                    answer(reply, status, Lines.line(why.getClass().getSimpleName(), why + ""));
                  }
                }));
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
}
