package verwalter.ui.v1;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.RequestProblem;

/** A client that waits for the result of an action. Belongs to the loop. */
final class WaitingClient {
  private final Promise<Optional<Object>> end = Promise.promise();
  private final String id;
  private @Nullable Watch watch;
  private TimedExecutor.@Nullable Timer timer;

  private WaitingClient(String id) {
    this.id = id;
  }

  /**
   * The scheduler's answer; empty if the action was processed without one. Fails with 503 if the
   * action was dropped or was not processed in time.
   */
  static Future<Optional<Object>> begin(
      ObjectStore store,
      Loop loop,
      Resource<Action.Spec, Action.Status> action,
      Duration timeout,
      RoutingContext context) {
    var waiting = new WaitingClient(action.name());
    waiting.timer = loop.after(timeout, () -> waiting.expire(timeout));
    waiting.watch =
        store.watch(Action.KIND, OptionalLong.of(action.meta().version()), loop, waiting::changed);
    context.addEndHandler(gone -> loop.execute(waiting::stop));
    return waiting.end.future();
  }

  private void changed(Change<Action.Spec, Action.Status> change) {
    if (change instanceof Change.Put<Action.Spec, Action.Status> put
        && put.resource().name().equals(id)) {
      put.resource().status().ifPresent(this::processed);
    } else if (change instanceof Change.Removed<Action.Spec, Action.Status> gone
        && gone.resource().name().equals(id)) {
      fail("the action was dropped before the scheduler processed it");
    } else if (change instanceof Change.Ended<Action.Spec, Action.Status>) {
      fail("the watch of the action ended; see its result: vw get act/" + id);
    }
  }

  private void processed(Action.Status status) {
    stop();
    if (status.state() == Action.State.DONE) {
      end.tryComplete(status.answer());
    } else {
      end.tryFail(unavailable("the scheduler fails because of this action: " + status.reason()));
    }
  }

  private void expire(Duration timeout) {
    fail(
        "the action was not processed in %d seconds; it is still pending: vw get act/%s"
            .formatted(timeout.toSeconds(), id));
  }

  private void fail(String why) {
    stop();
    end.tryFail(unavailable(why));
  }

  private static RequestProblem unavailable(String why) {
    return RequestProblem.of(503, "ServiceUnavailable", why);
  }

  private void stop() {
    if (watch != null) {
      watch.close();
    }
    if (timer != null) {
      timer.cancel();
    }
  }
}
