package verwalter.e2e.simulation;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * Connections between processes. Messages keep their order. In a cut they wait, and neither end
 * notices; a process that ends closes its connections, which the other end notices if it can be
 * reached.
 */
final class MirrorWires {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** Accepts connections. */
  @FunctionalInterface
  interface Port {
    /** Accepts a connection on the loop, or returns null to refuse it. */
    MirrorLink.@Nullable Receiver accept(String from, MirrorLink link);
  }

  private record Listening(Loop loop, Port port) {}

  private final VirtualWorld world;
  private final Links links;
  private final Loop network;
  private final Map<String, Listening> ports = new HashMap<>();
  private final Set<Wire> wires = new LinkedHashSet<>();

  MirrorWires(VirtualWorld world, Links links) {
    this.world = world;
    this.links = links;
    this.network = world.loop("wires");
    links.watch(() -> List.copyOf(wires).forEach(Wire::flush));
  }

  /** Accepts connections to a path of a machine from now on. */
  void listen(String machine, String path, Loop loop, Port port) {
    ports.put(machine + path, new Listening(loop, port));
  }

  /** The process of a machine has ended. */
  void ended(String machine) {
    ports.keySet().removeIf(each -> each.startsWith(machine + "/"));
    List.copyOf(wires).forEach(each -> each.ended(machine));
  }

  /** Breaks a connection, if there is one. */
  void breakOne(RandomGenerator random) {
    if (!wires.isEmpty()) {
      List.copyOf(wires).get(random.nextInt(wires.size())).close();
    }
  }

  /** Connects a process of a machine to a path of others. */
  MirrorClient.Connector connector(String machine, String path, Loop process) {
    return (to, opened, failed) -> {
      var port = ports.get(to + path);
      if (port == null || !links.connects(machine, to)) {
        // A host that is not there is noticed soon, a cut is not.
        var after = port == null && links.connects(machine, to) ? links.delay() : LONGEST_WAIT;
        process.after(after, () -> failed.accept("cannot connect"));
        return;
      }
      new Wire(machine, process, to, port).open(opened, failed::accept);
    };
  }

  /** A failure to connect. */
  private interface Failed {
    void because(String why);
  }

  /** One direction of a connection. */
  private final class Half {
    private final String from;
    private final String to;
    private final Loop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private MirrorLink.@Nullable Receiver receiver;
    private Instant last = Instant.MIN;
    private boolean over;

    private Half(String from, String to, Loop loop) {
      this.from = from;
      this.to = to;
      this.loop = loop;
    }

    /** Delivers in order, and later if the direction is cut. */
    private void send(Runnable delivery) {
      if (!links.reaches(from, to) || !waiting.isEmpty()) {
        waiting.add(delivery);
        return;
      }
      deliver(delivery);
    }

    private void deliver(Runnable delivery) {
      var at = world.now().plus(links.delay());
      last = at.isBefore(last) ? last : at;
      network.after(Duration.between(world.now(), last), () -> loop.execute(delivery));
    }

    private void flush() {
      while (!waiting.isEmpty() && links.reaches(from, to)) {
        deliver(waiting.remove());
      }
    }

    private void received(Buffer message) {
      var present = receiver;
      if (!over && present != null) {
        present.received(message);
      }
    }

    private void end() {
      var present = receiver;
      if (!over && present != null) {
        over = true;
        present.closed();
      }
      over = true;
    }
  }

  private final class Wire {
    private final Half up;
    private final Half down;
    private final Listening port;
    private boolean closed;

    private Wire(String client, Loop process, String server, Listening port) {
      this.up = new Half(client, server, port.loop());
      this.down = new Half(server, client, process);
      this.port = port;
      wires.add(this);
    }

    private void open(Function<MirrorLink, MirrorLink.Receiver> opened, Failed failed) {
      up.send(
          () -> {
            var receiver = port.port().accept(up.from, new End(down));
            if (receiver == null) {
              closed = true;
              wires.remove(this);
              down.send(() -> failed.because("refused"));
              return;
            }
            up.receiver = receiver;
            if (!closed) {
              down.send(
                  () -> {
                    if (!down.over) {
                      down.receiver = opened.apply(new End(up));
                    }
                  });
            }
          });
    }

    private void flush() {
      up.flush();
      down.flush();
    }

    private void close() {
      if (!closed) {
        closed = true;
        up.send(up::end);
        down.send(down::end);
        removeLater();
      }
    }

    private void ended(String machine) {
      if (!closed && (up.from.equals(machine) || up.to.equals(machine))) {
        closed = true;
        var survivor = up.from.equals(machine) ? up : down;
        survivor.send(survivor::end);
        removeLater();
      }
    }

    private void removeLater() {
      if (up.waiting.isEmpty() && down.waiting.isEmpty()) {
        wires.remove(this);
      } else {
        network.after(LONGEST_WAIT, this::removeLater);
      }
    }

    /** The end that sends into a half. */
    private final class End implements MirrorLink {
      private final Half into;

      private End(Half into) {
        this.into = into;
      }

      @Override
      public void send(Buffer message) {
        if (!closed) {
          into.send(() -> into.received(message));
        }
      }

      @Override
      public boolean isFull() {
        return false;
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          var own = into == up ? down : up;
          own.loop.execute(own::end);
          into.send(into::end);
          removeLater();
        }
      }
    }
  }
}
