package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import verwalter.cluster.forks.SideAnswer;
import verwalter.cluster.forks.SideMessage;
import verwalter.cluster.forks.SidePeers;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/** The messages between the nodes of a side, which may overtake each other and may be lost. */
final class SideLines {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final Loop loop;
  private final Links links;
  private final Map<String, SidePeers.Receiver> receivers = new HashMap<>();

  SideLines(VirtualWorld world, Links links) {
    this.loop = world.loop("side lines");
    this.links = links;
  }

  /** The process of a machine has ended. */
  void ended(String machine) {
    receivers.remove(machine);
  }

  /** The other nodes as a new process of a machine reaches them. */
  SidePeers join(String machine) {
    return new SidePeers() {
      @Override
      public Future<SideAnswer> send(String to, SideMessage message) {
        var answer = Promise.<SideAnswer>promise();
        loop.after(links.delay(), () -> deliver(machine, to, message, answer));
        loop.after(LIMIT, () -> answer.tryFail(new IOException("no answer of " + to)));
        return answer.future();
      }

      @Override
      public void serve(Receiver receiver) {
        receivers.put(machine, receiver);
      }
    };
  }

  private void deliver(String from, String to, SideMessage message, Promise<SideAnswer> answer) {
    var receiver = receivers.get(to);
    if (receiver == null || !links.reaches(from, to) || links.loses()) {
      return;
    }
    receiver
        .receive(from, message)
        .onSuccess(
            given ->
                loop.after(
                    links.delay(),
                    () -> {
                      if (links.reaches(to, from) && !links.loses()) {
                        answer.tryComplete(given);
                      }
                    }));
  }
}
