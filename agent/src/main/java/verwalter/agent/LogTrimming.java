package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;
import verwalter.stores.cluster.ClusterStore;

/** Trims the log of the cluster from time to time while this node leads. Confined to its loop. */
final class LogTrimming implements AutoCloseable {
  private static final Duration EACH = Duration.ofSeconds(30);

  private final Loop loop;
  private final CopyExchange exchange;
  private final ClusterStore store;
  private final String self;
  private final Supplier<Map<String, String>> others;
  private final BooleanSupplier leads;
  private Timer timer = () -> {};
  private boolean closed;

  private LogTrimming(
      Loop loop,
      CopyExchange exchange,
      ClusterStore store,
      String self,
      Supplier<Map<String, String>> others,
      BooleanSupplier leads) {
    this.loop = loop;
    this.exchange = exchange;
    this.store = store;
    this.self = self;
    this.others = others;
    this.leads = leads;
  }

  /**
   * Starts.
   *
   * @param self name of this elector
   * @param others the cluster addresses of the other electors by name
   */
  static LogTrimming start(
      Loop loop,
      CopyExchange exchange,
      ClusterStore store,
      String self,
      Supplier<Map<String, String>> others,
      BooleanSupplier leads) {
    var trimming = new LogTrimming(loop, exchange, store, self, others, leads);
    loop.execute(trimming::again);
    return trimming;
  }

  private void again() {
    if (!closed) {
      timer =
          loop.after(
              EACH,
              () -> {
                again();
                if (leads.getAsBoolean()) {
                  trim();
                }
              });
    }
  }

  /** Asks each elector how much is durable there; one that does not answer is not counted. */
  private void trim() {
    var known = others.get();
    var electors = new TreeSet<>(known.keySet());
    electors.add(self);
    var durable = new HashMap<String, Long>();
    durable.put(self, store.durable());
    var answers = new ArrayList<Future<?>>();
    known.forEach(
        (name, address) ->
            answers.add(
                exchange
                    .durable(address)
                    .onSuccess(index -> loop.execute(() -> durable.put(name, index)))));
    Future.join(answers)
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      if (!closed) {
                        store.trim(durable, electors);
                      }
                    }));
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          timer.cancel();
        });
  }
}
