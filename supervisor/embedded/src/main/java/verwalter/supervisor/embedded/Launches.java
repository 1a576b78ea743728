package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.supervisor.program.Examined;

/**
 * Runs launches in batches off the loop. Notes of a run are held back until its launch has ended.
 * Belongs to the loop.
 */
final class Launches {
  /** Small enough that the first shims start at once, large enough to save on processes. */
  private static final int BATCH = 10;

  private final Loop loop;
  private final ProcessOperations operations;
  private final BiConsumer<ProcessOperations.Order, ProcessOperations.Outcome> launched;
  private final Consumer<RunWatcher.Note> notes;
  private final Set<String> underWay = new HashSet<>();
  private final List<RunWatcher.Note> early = new ArrayList<>();
  private final Promise<Void> quiet = Promise.promise();
  private boolean closed;

  /**
   * @param launched called with the outcome of each order, until closed
   * @param notes called with the notes that were held back, after that
   */
  Launches(
      Loop loop,
      ProcessOperations operations,
      BiConsumer<ProcessOperations.Order, ProcessOperations.Outcome> launched,
      Consumer<RunWatcher.Note> notes) {
    this.loop = loop;
    this.operations = operations;
    this.launched = launched;
    this.notes = notes;
  }

  void begin(List<ProcessOperations.Order> orders) {
    if (orders.isEmpty()) {
      return;
    }
    orders.forEach(order -> underWay.add(order.id()));
    loop.offload(() -> operations.examine(orders))
        .onSuccess(
            examined -> {
              if (closed) {
                failed(orders, new IllegalStateException("the supervisor was closed"));
                return;
              }
              for (int i = 0; i < orders.size(); i += BATCH) {
                batch(List.copyOf(orders.subList(i, Math.min(i + BATCH, orders.size()))), examined);
              }
            })
        .onFailure(failure -> failed(orders, failure));
  }

  private void batch(
      List<ProcessOperations.Order> orders, Map<String, Map<String, Examined>> examined) {
    var now = loop.now();
    loop.offload(() -> operations.launch(orders, examined, now))
        .onSuccess(outcomes -> outcomes.forEach(this::over))
        .onFailure(failure -> failed(orders, failure));
  }

  private void failed(List<ProcessOperations.Order> orders, Throwable failure) {
    orders.forEach(
        order ->
            over(order, new ProcessOperations.Outcome.Failed(order.id(), String.valueOf(failure))));
  }

  private void over(ProcessOperations.Order order, ProcessOperations.Outcome outcome) {
    underWay.remove(outcome.id());
    if (closed) {
      quietIfSo();
      return;
    }
    launched.accept(order, outcome);
    var waiting = List.copyOf(early);
    early.clear();
    waiting.forEach(notes);
  }

  /** Whether a note is of a run that is still being launched; then it is passed on later. */
  boolean holdsBack(String run, RunWatcher.Note note) {
    return underWay.contains(run) && early.add(note);
  }

  /** Reports no further outcome. Completes when no launch is under way. */
  Future<Void> close() {
    closed = true;
    quietIfSo();
    return quiet.future();
  }

  private void quietIfSo() {
    if (underWay.isEmpty()) {
      quiet.tryComplete();
    }
  }
}
