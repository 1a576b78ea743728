package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Term;
import verwalter.cluster.forks.ForkState.Phase;
import verwalter.cluster.sides.SidePromise;
import verwalter.concurrent.Loop;
import verwalter.model.Action;
import verwalter.model.Schedule;
import verwalter.model.Version;
import verwalter.stores.api.Write;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.StoreCorrupt;

/**
 * The fork of this node and its store: one that it leads itself, or a copy of the fork of another
 * leader. Own terms that ended before they were merged are kept beside it. Confined to its loop;
 * only one of {@link #accept}, {@link #end} and {@link #drop} may be in progress.
 */
final class HeldFork {
  private static final Logger LOG = LoggerFactory.getLogger(HeldFork.class);

  private final String self;
  private final ForkFiles files;
  private final Supplier<Snapshot> log;
  private final Loop loop;
  private final List<ForkState> ended = new ArrayList<>();
  private Optional<ForkState> state = Optional.empty();
  private @Nullable LocalStore store;

  /** Whether the disk may differ from this, and the store may be closed. */
  private boolean unknown;

  private boolean closed;

  /**
   * Opens the fork that is on disk. What cannot be read is set aside, so that the agent starts.
   * Blocks.
   *
   * @param self machine id
   * @param log all objects of the log, as this node knows them
   */
  HeldFork(String self, ForkFiles files, Supplier<Snapshot> log, Loop loop) throws IOException {
    this.self = self;
    this.files = files;
    this.log = log;
    this.loop = loop;
    try {
      load();
    } catch (IOException damaged) {
      if (!isDamage(damaged)) {
        throw damaged; // such as a full disk: the fork is not given up
      }
      LOG.warn("side: {}", damaged.toString());
      files.setDamagedAside();
      load();
    }
    ended.addAll(files.ended());
  }

  private static boolean isDamage(IOException failure) {
    return failure instanceof StoreCorrupt
        || failure.getCause() instanceof IllegalArgumentException;
  }

  private void load() throws IOException {
    state = files.state();
    if (state.isEmpty() || state.get().phase() == Phase.MERGED) {
      return;
    }
    if (files.hasStore()) {
      store = files.open();
    } else { // the term was set aside before a crash
      state = Optional.of(state.get().in(Phase.MERGED));
      files.write(state.get());
    }
  }

  /** The newest state; empty if the node has accepted no term yet. */
  Optional<ForkState> state() {
    return state;
  }

  /**
   * Whether a failure of the disk left this in an unknown state. The store can be read, and {@link
   * #reopen} is needed before anything else.
   */
  boolean isUnknown() {
    return unknown;
  }

  /** What the node has promised. */
  SidePromise promise() {
    return ForkState.promise(state);
  }

  /** The store; empty if there is no fork. After {@link #end} it is closed, and can be read. */
  Optional<LocalStore> store() {
    return Optional.ofNullable(store);
  }

  /** Whether there is a fork of a term of this node, which may have ended. */
  boolean isOwn() {
    return store != null && state.filter(it -> it.isOwn(self)).isPresent();
  }

  /** Whether there is a copy of the fork of another node. */
  boolean isCopy() {
    return store != null && !isOwn();
  }

  /** The term that is open; empty if there is none. */
  Optional<Term> term() {
    return store == null
        ? Optional.empty()
        : state.filter(it -> it.phase() == Phase.OPEN).map(ForkState::term);
  }

  /** The oldest own term that was set aside and is not merged yet. */
  Optional<ForkState> oldestEnded() {
    return ended.stream().findFirst();
  }

  /**
   * Accepts a term durably, and begins its fork: with the objects of the present fork, or with
   * those of the log. Nobody may write to the present fork any more if it is an own one.
   *
   * @param base the version of the log's state below the fork of the leader, whose objects take the
   *     place of those of this fork. What the log wrote after it is not below this fork either, and
   *     is not taken as replaced when the fork is merged.
   */
  Future<Void> accept(Term term, long base) {
    if (term.epoch() <= promise().epoch()) {
      return Future.failedFuture("epoch %d was promised".formatted(promise().epoch()));
    }
    var present = store;
    var last = state;
    return loop.offload(() -> begin(term, base, present, last))
        .compose(opened -> epoch(opened, term))
        .compose(opened -> loop.offload(() -> onDisk(opened)))
        .recover(
            failure ->
                loop.offload(() -> reopened(present, Optional.of(failure)))
                    .onFailure(again -> unknown = true))
        .compose(this::become);
  }

  /**
   * What is on disk.
   *
   * @param failure why the term was not accepted
   */
  private record Opened(
      @Nullable LocalStore store,
      Optional<ForkState> state,
      List<ForkState> ended,
      Optional<Throwable> failure) {}

  private LocalStore begin(
      Term term, long base, @Nullable LocalStore present, Optional<ForkState> last)
      throws IOException {
    if (present == null) {
      var below = log.get();
      return files.begin(term, below, Math.min(below.version(), base));
    }
    var ending = last.orElseThrow();
    long next = Math.min(ending.base(), base);
    if (ending.isOwn(self)) {
      present.close();
      if (hasWrites(present, ending)) {
        files.setAside(ending);
      }
      return files.begin(term, present.snapshot(), next);
    }
    files.write(new ForkState(term, next, Phase.OPEN));
    return present;
  }

  /** Whether the leader of a term has written anything that is merged. */
  private static boolean hasWrites(LocalStore fork, ForkState term) {
    return Stream.concat(fork.list(Schedule.KIND).stream(), fork.list(Action.KIND).stream())
        .anyMatch(object -> Version.epoch(object.meta().version()) == term.term().epoch());
  }

  /**
   * Begins the epoch of the term. Actions that the log or another term has accepted belong to
   * these, and are not applied by the leader of this one.
   */
  private Future<LocalStore> epoch(LocalStore opened, Term term) {
    if (opened.epoch() >= term.epoch()) {
      return Future.succeededFuture(opened);
    }
    var waiting =
        opened.list(Action.KIND).stream()
            .filter(action -> term.leader().equals(self) && Action.pending(action))
            .<Write>map(Write.Remove::new)
            .toList();
    var removed =
        waiting.isEmpty() ? Future.succeededFuture() : opened.commit(waiting).<Object>map(it -> it);
    return removed
        .compose(done -> opened.beginEpoch(term.epoch()))
        .map(opened)
        .onFailure(failure -> opened.close());
  }

  private Opened onDisk(LocalStore opened) throws IOException {
    return new Opened(opened, files.state(), files.ended(), Optional.empty());
  }

  /** After a failure: the fork as it is on disk now. */
  private Opened reopened(@Nullable LocalStore present, Optional<Throwable> failure)
      throws IOException {
    if (present != null) {
      present.close();
    }
    var kept = files.state();
    boolean open = kept.filter(it -> it.phase() != Phase.MERGED).isPresent();
    if (open && !files.hasStore()) { // the term was set aside before the failure
      kept = Optional.of(kept.get().in(Phase.MERGED));
      files.write(kept.get());
      open = false;
    }
    return new Opened(open ? files.open() : null, kept, files.ended(), failure);
  }

  private Future<Void> become(Opened opened) {
    state = opened.state();
    store = opened.store();
    ended.clear();
    ended.addAll(opened.ended());
    var present = store;
    if (closed && present != null) {
      present.close();
    }
    return opened
        .failure()
        .<Future<Void>>map(Future::failedFuture)
        .orElseGet(Future::succeededFuture);
  }

  /** Makes sure that the epoch of an open term has begun, which a crash may have prevented. */
  Future<Void> resume() {
    var present = store;
    return present == null || term().isEmpty()
        ? Future.succeededFuture()
        : epoch(present, term().get())
            .<Void>mapEmpty()
            .onFailure(failure -> loop.execute(() -> unknown = true));
  }

  /** Opens the fork again as it is on disk. */
  Future<Void> reopen() {
    var present = store;
    return loop.offload(() -> reopened(present, Optional.empty()))
        .compose(this::become)
        .compose(
            opened -> {
              unknown = false;
              return resume();
            });
  }

  /** Ends the own term durably. */
  Future<Void> end() {
    var present = store;
    var next = state.orElseThrow().in(Phase.CLOSED);
    return loop.offload(
            () -> {
              files.write(next);
              if (present != null) {
                present.close();
              }
              return next;
            })
        .map(
            written -> {
              state = Optional.of(written);
              return null;
            });
  }

  /** Deletes the fork, which was merged or is a copy. */
  Future<Void> drop() {
    var present = store;
    var next = state.orElseThrow().in(Phase.MERGED);
    return loop.offload(
            () -> {
              if (present != null) {
                present.close();
              }
              files.write(next);
              files.remove();
              return next;
            })
        .otherwise(
            failure -> {
              LOG.warn("side: {}", failure.toString());
              return next;
            })
        .map(
            done -> {
              state = Optional.of(done);
              store = null;
              return null;
            });
  }

  /** Opens an own term that was set aside, to be read. */
  Future<LocalStore> open(ForkState older) {
    return loop.offload(
        () -> {
          var opened = files.open(older);
          opened.close();
          return opened;
        });
  }

  /** Deletes an own term that was set aside and merged. */
  Future<Void> drop(ForkState older) {
    ended.remove(older);
    return loop.offload(
        () -> {
          files.remove(older);
          return null;
        });
  }

  /** Leaves a term on disk that cannot be read until the agent starts again. */
  void skip(ForkState older) {
    ended.remove(older);
  }

  /** Closes the store, which stays on disk. */
  void close() {
    closed = true;
    var present = store;
    if (present != null) {
      present.close();
    }
  }
}
