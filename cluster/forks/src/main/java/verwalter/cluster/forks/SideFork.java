package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Term;
import verwalter.cluster.sides.SidePromise;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.local.LocalStore;

/**
 * The fork of this node, and whether the node uses it in place of the log: accepts terms, copies
 * the fork of another leader, and merges or drops the fork when the log has a leader again.
 * Confined to its loop.
 */
final class SideFork {
  /** How long a copy is kept for its leader to merge, while the log has a leader. */
  static final Duration COPY_KEPT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(SideFork.class);
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(15));

  private static final String NOT_MERGED = "is not merged yet";

  /** How often the end of a term is sent to a node that does not answer. */
  private static final int ENDINGS = 5;

  private final MinoritySide.Cluster cluster;
  private final MinoritySide.Effects effects;
  private final HeldFork held;
  private final Loop loop;
  private final Runnable changed;

  /** The store of the fork that the node uses; empty while it uses the log. */
  private Optional<LocalStore> used = Optional.empty();

  /** What failed is not tried again before this time. */
  private Duration pause = Duration.ZERO;

  /** The number of consecutive failures. */
  private int failures;

  /** Since when the log has a leader, as {@link #comeBack} received it last. */
  private Duration led = Duration.ZERO;

  /** The number of the last copy that was stored in the present term. */
  private long copied;

  private boolean copying;

  /** The term whose leader has merged it. */
  private Optional<Term> over = Optional.empty();

  /** Whether the fork is being replaced, merged or dropped. */
  private boolean busy;

  private boolean closed;

  /**
   * Reads the fork that is on disk. Blocks.
   *
   * @param changed called on the loop when the owner should decide again
   */
  SideFork(
      MinoritySide.Cluster cluster,
      MinoritySide.Effects effects,
      ForkFiles files,
      Loop loop,
      Runnable changed)
      throws IOException {
    this.cluster = cluster;
    this.effects = effects;
    this.loop = loop;
    this.changed = changed;
    this.held = new HeldFork(cluster.self(), files, cluster.snapshot(), loop);
  }

  /** Uses a fork that was open when the agent ended. It has no leader at first. */
  void resume() {
    if (held.term().isPresent()) {
      busy = true;
      use();
      loop.execute(
          () -> {
            effects.seat().enter();
            finish(held.resume(), () -> {}, "does not go on yet");
          });
    }
  }

  /** What the node has promised. */
  SidePromise promise() {
    return held.promise();
  }

  /** The term that is open; empty if there is none. */
  Optional<Term> term() {
    return held.term();
  }

  /** The version of the log's state below the fork. */
  long base() {
    return held.state().orElseThrow().base();
  }

  /** The store; empty if there is no fork. */
  Optional<LocalStore> store() {
    return held.store();
  }

  boolean isOwn() {
    return held.isOwn();
  }

  boolean isCopy() {
    return held.isCopy();
  }

  /** Whether the node uses the fork in place of the log. */
  boolean isUsed() {
    return used.isPresent();
  }

  /** Whether the fork is being replaced, merged, dropped or repaired, or a copy is being stored. */
  boolean isBusy() {
    return busy || copying || held.isUnknown();
  }

  /** Opens the fork again after a failure of the disk, when it is time. */
  void repair(Duration now) {
    if (held.isUnknown() && !busy && !copying && now.compareTo(pause) >= 0) {
      busy = true;
      finish(held.reopen(), this::replaced, "cannot be read yet");
    }
  }

  /** What has failed is tried again at this time, or was. */
  Duration paused() {
    return pause;
  }

  /** Uses the fork, and makes this node its leader. */
  void lead(Term term) {
    use();
    effects.seat().lead(term);
  }

  /** Shows who leads, if the node uses the fork. */
  void follow(Optional<Term> term) {
    if (used.isPresent()) {
      effects.seat().follow(term);
    }
  }

  /** Uses the present store of the fork. */
  private void use() {
    var present = held.store();
    if (present.isPresent() && !used.equals(present)) {
      used = present;
      effects.exchange().accept(present.get());
    }
  }

  private void useLog() {
    if (used.isPresent()) {
      used = Optional.empty();
      effects.exchange().accept(cluster.log());
    }
  }

  private void retry() {
    pause = Duration.ofNanos(cluster.nanos().getAsLong()).plus(RETRY.delay(++failures));
  }

  /** Completes a future on the loop. */
  private <T> Future<T> onLoop(Future<T> future) {
    var there = Promise.<T>promise();
    future.onComplete(done -> loop.execute(() -> there.handle(done)));
    return there.future();
  }

  /**
   * Accepts a term, which is durable then. A candidate that leads is stopped first. Call it unless
   * the fork is busy.
   *
   * @param base the version of the log's state below the fork of the leader
   */
  Future<Void> accept(Term term, long base) {
    busy = true;
    var vacated =
        used.isPresent() ? effects.seat().follow(Optional.empty()) : Future.<Void>succeededFuture();
    return onLoop(onLoop(vacated).compose(stopped -> held.accept(term, base)))
        .onComplete(
            done -> {
              busy = false;
              copied = 0;
              if (done.failed()) {
                LOG.info("side: epoch={} cannot be accepted: {}", term.epoch(), done.cause() + "");
                retry();
              } else {
                failures = 0;
                LOG.info("side: epoch={} of {} is accepted", term.epoch(), term.leader());
              }
              if (!closed) {
                replaced();
                changed.run();
              }
            });
  }

  /** Uses the fork that was begun in place of the one in use, or the log if there is none. */
  private void replaced() {
    if (used.isPresent() && held.store().isPresent()) {
      use();
    } else if (used.isPresent()) {
      useLog();
      effects.seat().leave();
    }
  }

  /**
   * Makes the fork equal to that of its leader, and uses it. Call it in the term of the copy.
   *
   * @param isWanted whether the node still needs a fork when the copy is stored
   */
  Future<SideAnswer> copy(SideMessage.Copy copy, BooleanSupplier isWanted) {
    if (isBusy()) {
      return Future.succeededFuture(SideAnswer.LATER);
    }
    if (!copy.isWhole() && copy.after() != copied) {
      return Future.succeededFuture(SideAnswer.WHOLE);
    }
    var store = held.store().orElseThrow();
    var writes = CopiedObjects.writes(store, name(), copy);
    copying = true;
    var written =
        writes.isEmpty() ? Future.succeededFuture() : store.commit(writes).<Object>map(it -> it);
    return onLoop(written)
        .transform(
            done -> {
              copying = false;
              boolean same = held.store().filter(it -> it == store).isPresent();
              if (closed || done.failed() || !same || !isWanted.getAsBoolean()) {
                LOG.info("side: a copy was not stored: {}", done.cause() + "");
                changed.run();
                return Future.succeededFuture(SideAnswer.LATER);
              }
              copied = copy.number();
              if (used.isEmpty()) {
                use();
                effects.seat().enter();
              }
              changed.run();
              return Future.succeededFuture(SideAnswer.DONE);
            });
  }

  /** The name of this node. */
  private String name() {
    return cluster.log().list(Node.KIND).stream()
        .filter(node -> Node.machineId(node).filter(cluster.self()::equals).isPresent())
        .map(Resource::name)
        .findFirst()
        .orElse("");
  }

  /** The leader of a term has merged it. */
  void merged(Term term) {
    over = Optional.of(term);
  }

  /**
   * The log has a leader: drops a copy when it is time, and merges what this node has led.
   *
   * @param since since when the log has a leader
   */
  void comeBack(Duration since, Duration now) {
    if (!since.equals(led)) { // another leader may do what failed before
      led = since;
      failures = 0;
      pause = Duration.ZERO;
    }
    if (busy || held.isUnknown() || now.compareTo(pause) < 0) {
      return;
    }
    if (held.isCopy()) {
      leaveCopy(since, now);
    } else if (held.isOwn()) {
      merge();
    } else {
      held.oldestEnded().ifPresent(this::merge);
    }
  }

  private void leaveCopy(Duration since, Duration now) {
    var leader = cluster.leadership().term();
    boolean isHere = leader.filter(it -> it.leader().equals(cluster.self())).isPresent();
    if (used.isPresent()
        && !isHere
        && !over.equals(held.term())
        && now.compareTo(since.plus(COPY_KEPT)) < 0) {
      effects.seat().follow(leader); // people reach the leader of the log
      return;
    }
    busy = true;
    useLog();
    finish(held.drop(), () -> effects.seat().leave(), "is not dropped yet");
  }

  /** Ends the own term, and merges what it wrote. */
  private void merge() {
    busy = true;
    var ending = held.state().orElseThrow();
    var open = held.store().orElseThrow();
    if (held.term().isPresent()) {
      LOG.info("side: the majority is back; epoch={} is to be merged", ending.term().epoch());
    }
    var merged =
        onLoop(effects.seat().enter())
            .compose(stopped -> held.end())
            .compose(
                done -> {
                  useLog();
                  changed.run();
                  return onLoop(merged(ending, open));
                })
            .compose(done -> held.drop());
    finish(
        merged,
        () -> {
          effects.seat().leave();
          tell(new SideMessage.Ended(ending.term()));
        },
        NOT_MERGED);
  }

  /** Sends a message to all nodes that this one reaches. */
  private void tell(SideMessage message) {
    cluster.members().view().stream()
        .flatMap(view -> view.members().stream())
        .filter(member -> !member.equals(cluster.self()))
        .forEach(member -> new Delivery(cluster.peers(), loop, ENDINGS).send(member, message));
  }

  /** Merges an own term that was set aside when another one began. */
  private void merge(ForkState older) {
    busy = true;
    var opened =
        held.open(older)
            .onFailure(
                failure -> {
                  LOG.warn("side: epoch={} stays: {}", older.term().epoch(), failure.toString());
                  held.skip(older);
                });
    finish(
        opened.compose(store -> onLoop(merged(older, store))).compose(done -> held.drop(older)),
        () -> {},
        NOT_MERGED);
  }

  private Future<Void> merged(ForkState ending, ObjectStore written) {
    var all =
        StoredFork.of(
            written, ending.term(), ending.base(), key -> ForkReturn.read(cluster.log(), key));
    return ForkReturn.merge(cluster.log(), all)
        .map(
            overridden -> {
              LOG.info(
                  "side: epoch={} is merged, {} writes lost",
                  ending.term().epoch(),
                  overridden.size());
              overridden.forEach(each -> LOG.info("side: {}: {}", each.key(), each.message()));
              effects.overridden().accept(overridden);
              return null;
            });
  }

  /**
   * Lets the owner decide again when the fork is not busy any more.
   *
   * @param problem what a failure means for the fork
   */
  private void finish(Future<Void> work, Runnable success, String problem) {
    onLoop(work)
        .onComplete(
            done -> {
              busy = false;
              if (done.succeeded()) {
                failures = 0;
                success.run();
              } else {
                LOG.info("side: the fork {}: {}", problem, done.cause() + "");
                retry();
              }
              changed.run();
            });
  }

  /** Closes the store, which stays on disk. */
  void close() {
    closed = true;
    held.close();
  }
}
