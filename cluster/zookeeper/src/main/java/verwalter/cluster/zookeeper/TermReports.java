package verwalter.cluster.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;

/** The present term and its listeners. Belongs to the loop, except where stated. */
final class TermReports {
  private final TimedExecutor loop;
  private final List<Listening> listeners = new ArrayList<>();
  private volatile Optional<Term> present = Optional.empty();

  TermReports(TimedExecutor loop) {
    this.loop = loop;
  }

  /** A listener until it is closed. */
  private static final class Listening {
    private final Loop loop;
    private final Leadership.Listener listener;
    private volatile boolean open = true;

    private Listening(Loop loop, Leadership.Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    private void report(Optional<Term> term) {
      loop.execute(
          () -> {
            if (open) {
              listener.changed(term);
            }
          });
    }
  }

  /** The present term, on any thread. */
  Optional<Term> present() {
    return present;
  }

  /** Reports the present term and each later one, from any thread. */
  Watch watch(Loop on, Leadership.Listener listener) {
    var listening = new Listening(on, listener);
    loop.execute(
        () -> {
          listeners.add(listening);
          listening.report(present);
        });
    return () -> {
      listening.open = false;
      loop.execute(() -> listeners.remove(listening));
    };
  }

  /** Reports a term unless it is the present one. */
  void change(Optional<Term> term) {
    if (!present.equals(term)) {
      present = term;
      listeners.forEach(each -> each.report(term));
    }
  }
}
