package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;

/**
 * Changes the identity of this node when the objects of the cluster want that, and starts the parts
 * of the agent again with the new one. A change that fails is wanted again later. Processes are not
 * affected. Confined to its loop.
 */
final class IdentityChange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityChange.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /**
   * A change that is wanted.
   *
   * @param what completes "this node cannot …", such as "be named db-2"
   * @param change makes it; after a failure it may be repeated
   */
  record Wanted(String what, Supplier<? extends Future<?>> change) {}

  private final Loop loop;
  private final Runnable restart;
  private final Supplier<Optional<Wanted>> wanted;
  private final List<Watch> watches = new ArrayList<>();
  private boolean busy;

  /** Why it failed, as last reported. */
  private String reported = "";

  private IdentityChange(Loop loop, Runnable restart, Supplier<Optional<Wanted>> wanted) {
    this.loop = loop;
    this.restart = restart;
    this.wanted = wanted;
  }

  /**
   * Starts to check which change is wanted: now, and when an object of one of these kinds changes.
   *
   * @param restart asks for the parts of the agent to be closed and opened again
   * @param wanted is called on the loop
   */
  static IdentityChange start(
      Loop loop,
      Runnable restart,
      ObjectStore store,
      List<Kind<?, ?>> kinds,
      Supplier<Optional<Wanted>> wanted) {
    var change = new IdentityChange(loop, restart, wanted);
    for (var kind : kinds) {
      change.watches.add(LastingWatch.of(store, kind, loop, any -> change.check()));
    }
    loop.execute(change::check);
    return change;
  }

  private void check() {
    if (!busy) {
      wanted.get().ifPresent(this::make);
    }
  }

  private void make(Wanted next) {
    busy = true; // it remains so after a success, until the parts are closed
    Future.succeededFuture()
        .compose(now -> next.change().get().<Void>mapEmpty()) // which may also throw
        .onSuccess(
            done -> {
              LOG.info("this node can {} now; its parts start again", next.what());
              restart.run();
            })
        .onFailure(why -> loop.execute(() -> failed(next, String.valueOf(why.getMessage()))));
  }

  private void failed(Wanted which, String why) {
    var report = "%s yet: %s".formatted(which.what(), why);
    if (!report.equals(reported)) {
      LOG.warn("this node cannot {}", report);
      reported = report;
    }
    loop.after(
        AGAIN,
        () -> {
          busy = false;
          check();
        });
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
    loop.execute(() -> busy = true);
  }
}
