package verwalter.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import verwalter.ui.port.CommandSessions;

/** Sends back what it gets; the end of the input ends it with exit code 5. */
final class EchoCommands implements CommandSessions, AutoCloseable {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  /** What was started, and the ends that were requested. */
  final List<String> log = new CopyOnWriteArrayList<>();

  @Override
  public Future<Session> start(Request request, Client client) {
    if (request.arguments().contains("none")) {
      return Future.failedFuture(new IllegalArgumentException("there is no such program"));
    }
    log.add(request.toString());
    return Future.succeededFuture(
        new Session() {
          @Override
          public Future<Void> input(byte[] bytes) {
            inOrder(() -> client.output(new String(bytes, UTF_8).startsWith("!"), bytes));
            return Future.succeededFuture();
          }

          @Override
          public void endOfInput() {
            inOrder(() -> client.exited(5));
          }

          @Override
          public void resize(int rows, int columns) {
            log.add(rows + "x" + columns);
          }

          @Override
          public void close() {
            log.add("closed");
          }
        });
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /** All output is sent before the end, as the port requires. */
  private void inOrder(Work work) {
    thread.execute(
        () -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
