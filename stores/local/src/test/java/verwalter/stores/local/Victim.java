package verwalter.stores.local;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import verwalter.model.Node;
import verwalter.model.Resource;

/** A process to be killed: four writers that report each acknowledged write. */
final class Victim {
  public static void main(String[] arguments) throws Exception {
    var out = new PrintStream(System.out, true);
    LocalStore store;
    try {
      var options = Options.DEFAULT.withLogBytes(100_000);
      store =
          LocalStore.open(
              Path.of(arguments[0]),
              options,
              Executors.newCachedThreadPool(),
              InstantSource.system(),
              () -> UUID.randomUUID().toString());
    } catch (StoreInUse inUse) {
      out.println("in use: " + inUse.getMessage());
      return;
    }
    var next = new AtomicLong();
    for (int i = 0; i < 4; i++) {
      new Thread(() -> write(store, next, out)).start();
    }
  }

  private static void write(LocalStore store, AtomicLong next, PrintStream out) {
    while (true) {
      var name = "n" + ProcessHandle.current().pid() + "-" + next.incrementAndGet();
      var node = Resource.of(Node.KIND, name, new Node.Spec(true));
      var put = store.put(node).toCompletionStage().toCompletableFuture().join();
      out.println("ack " + name + " " + put.meta().version());
    }
  }

  private Victim() {}
}
