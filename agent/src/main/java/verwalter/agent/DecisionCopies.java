package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Decisions;
import verwalter.model.Schedule;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/**
 * Copies the recorded decisions of the leader after each change of the schedule, so that the next
 * leader can show and repeat those that made a schedule. Decisions that changed nothing are copied
 * with the next one that does. Confined to its loop.
 */
final class DecisionCopies {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionCopies.class);

  /** The time before a watch that has ended, or a copy that has failed, begins again. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final NodeExchange nodes;
  private final DecisionArchive archive;
  private final Supplier<Optional<String>> leader;
  private final Loop loop;
  private String last = "";
  private boolean copying;
  private boolean again;
  private boolean closed;
  private Watch watch = () -> {};

  private DecisionCopies(
      ObjectStore store,
      NodeExchange nodes,
      DecisionArchive archive,
      Supplier<Optional<String>> leader,
      Loop loop) {
    this.store = store;
    this.nodes = nodes;
    this.archive = archive;
    this.leader = leader;
    this.loop = loop;
  }

  /**
   * Copies until it is closed.
   *
   * @param leader the cluster address of the leader; empty if this node leads
   */
  static Watch start(
      ObjectStore store,
      NodeExchange nodes,
      DecisionArchive archive,
      Supplier<Optional<String>> leader,
      Loop loop) {
    var copies = new DecisionCopies(store, nodes, archive, leader, loop);
    loop.execute(copies::follow);
    return () -> loop.execute(copies::close);
  }

  private void follow() {
    if (!closed) {
      watch.close();
      watch = store.watch(Schedule.KIND, loop, this::changed);
    }
  }

  private void close() {
    closed = true;
    watch.close();
  }

  private void changed(Change<Schedule.Spec, Schedule.Status> change) {
    if (change instanceof Change.Put<Schedule.Spec, Schedule.Status> put
        && !put.resource().spec().hash().equals(last)) {
      last = put.resource().spec().hash();
      copy();
    } else if (change instanceof Change.Ended<Schedule.Spec, Schedule.Status>) {
      loop.after(RETRY, this::follow);
    }
  }

  private void copy() {
    var address = leader.get();
    again = copying;
    if (copying || closed || address.isEmpty()) {
      return;
    }
    copying = true;
    nodes
        .decisions(address.get())
        .compose(records -> copy(address.get(), records))
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      copying = false;
                      if (done.failed()) {
                        LOG.debug("cannot copy decisions: {}", done.cause().toString());
                        loop.after(RETRY, this::copy);
                      } else if (again) {
                        copy();
                      }
                    }));
  }

  private Future<Void> copy(String address, Map<String, String> records) {
    var known = archive.newestFirst().stream().map(Decisions.Entry::id).collect(Collectors.toSet());
    var missing = new ArrayList<>(records.keySet());
    missing.removeAll(known);
    Collections.reverse(missing); // the oldest first
    var copied = Future.<Void>succeededFuture();
    for (var id : missing) {
      copied = copied.compose(done -> copy(address, id, records.getOrDefault(id, "")));
    }
    return copied;
  }

  private Future<Void> copy(String address, String id, String code) {
    return nodes
        .code(address, code)
        .compose(
            its ->
                nodes
                    .decision(address, id)
                    .compose(
                        record ->
                            loop.offload(
                                () -> {
                                  archive.addCopy(record, its);
                                  return archive;
                                })))
        .mapEmpty();
  }
}
