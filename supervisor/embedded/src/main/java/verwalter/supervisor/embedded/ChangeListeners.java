package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** Notifies listeners of groups that may have changed. Thread-safe. */
final class ChangeListeners {
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  Watch add(Loop loop, Consumer<String> watcher) {
    var listener = new Listener(loop, watcher);
    listeners.add(listener);
    return () -> {
      listener.closed = true;
      listeners.remove(listener);
    };
  }

  void report(Set<String> groups) {
    for (var listener : listeners) {
      groups.forEach(group -> listener.loop.execute(() -> listener.notify(group)));
    }
  }

  private static final class Listener {
    private final Loop loop;
    private final Consumer<String> watcher;
    private volatile boolean closed;

    Listener(Loop loop, Consumer<String> watcher) {
      this.loop = loop;
      this.watcher = watcher;
    }

    void notify(String group) {
      if (!closed) {
        watcher.accept(group);
      }
    }
  }
}
