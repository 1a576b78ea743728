package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import verwalter.cluster.Term;
import verwalter.cluster.following.ObserverWrites;
import verwalter.cluster.mirror.WriteMessages;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.LeaderCommits;

/** The writes of observers on their way to the leader. Requests and answers may be lost. */
final class ObserverLines {
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final Loop network;
  private final Links links;
  private final Map<String, Port> ports = new HashMap<>();

  /** Where the writes of observers arrive. */
  private record Port(Loop loop, ObjectStore store, BooleanSupplier leads) {}

  ObserverLines(VirtualWorld world, Links links) {
    this.network = world.loop("observer lines");
    this.links = links;
  }

  /** Commits what arrives at a machine while its node leads. */
  void listen(String machine, Loop loop, ObjectStore store, BooleanSupplier leads) {
    ports.put(machine, new Port(loop, store, leads));
  }

  /** The process of a machine has ended. */
  void ended(String machine) {
    ports.remove(machine);
  }

  /** Sends writes of a node to the leader. */
  LeaderCommits from(String machine, String node, Supplier<Optional<Term>> term) {
    return writes -> {
      var leader = term.get();
      return leader.isEmpty()
          ? Future.failedFuture(
              new StoreException.Unavailable("there is no leader; nothing was written"))
          : send(machine, node, leader.get().leader(), writes);
    };
  }

  private Future<LeaderCommits.Decided> send(
      String machine, String node, String leader, List<Write> writes) {
    var answer = Promise.<Buffer>promise();
    network.after(LIMIT, () -> answer.tryFail("no answer"));
    network.after(links.delay(), () -> arrive(machine, node, leader, writes, answer));
    long based = writes.get(0).resource().meta().version();
    return answer
        .future()
        .recover(
            failure ->
                Future.failedFuture(
                    new StoreException.Unavailable(
                        failure.getMessage() + "; it is unknown whether this was written")))
        .compose(
            bytes -> {
              try {
                var read = WriteMessages.answer(bytes, leader, based);
                return Future.succeededFuture(
                    new LeaderCommits.Decided(read.revision(), read.refusal(), read.results()));
              } catch (IOException wrong) {
                return Future.failedFuture(wrong);
              }
            });
  }

  private void arrive(
      String machine, String node, String leader, List<Write> writes, Promise<Buffer> answer) {
    var port = ports.get(leader);
    if (port == null || !links.reaches(machine, leader) || links.loses()) {
      return;
    }
    if (!port.leads().getAsBoolean()) {
      answer.tryFail("this node does not lead");
      return;
    }
    port.loop()
        .execute(
            () ->
                ObserverWrites.commit(port.store(), node, writes)
                    .map(WriteMessages::committed)
                    .otherwise(
                        why ->
                            WriteMessages.refused(
                                why, writes.get(0).resource().key(), port.store().revision()))
                    .onSuccess(
                        bytes ->
                            network.after(
                                links.delay(),
                                () -> {
                                  if (links.reaches(leader, machine) && !links.loses()) {
                                    answer.tryComplete(bytes);
                                  }
                                })));
  }
}
