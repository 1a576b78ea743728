package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.model.ProcessGroup;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.embedded.EmbeddedSupervisor;
import verwalter.supervisor.embedded.ExecRequest;
import verwalter.supervisor.embedded.RunningCommand;
import verwalter.ui.port.CommandSessions;

/**
 * Runs commands beside the processes that the supervisor of this node runs. Each command has four
 * threads: one for each stream, and one that waits for its end.
 */
final class NodeCommands implements CommandSessions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCommands.class);
  private static final int CHUNK = 16 << 10;

  /** The time from SIGTERM to SIGKILL. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final EmbeddedSupervisor supervisor;
  private final Loop loop;
  private final ExecutorService threads;
  private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();

  private NodeCommands(EmbeddedSupervisor supervisor, Loop loop, ThreadFactory threads) {
    this.supervisor = supervisor;
    this.loop = loop;
    this.threads = Executors.newCachedThreadPool(threads);
  }

  /** The commands of a node; none for a dry run. */
  static Optional<NodeCommands> of(Supervisor supervisor, Loop loop, ThreadFactory threads) {
    return supervisor instanceof EmbeddedSupervisor embedded
        ? Optional.of(new NodeCommands(embedded, loop, threads))
        : Optional.empty();
  }

  @Override
  public Future<Session> start(Request request, Client client) {
    var started = Promise.<Session>promise();
    try {
      threads.execute(() -> start(request, client, started));
    } catch (RejectedExecutionException closing) {
      return Future.failedFuture(new IllegalArgumentException("this node is shutting down"));
    }
    return started.future();
  }

  private void start(Request request, Client client, Promise<Session> started) {
    try {
      var command = supervisor.exec(request(request), UUID.randomUUID().toString());
      running.add(command);
      var session = new Attached(command);
      started.complete(session);
      session.transfer(client);
    } catch (Supervisor.Refused refused) {
      started.tryFail(new IllegalArgumentException(refused.getMessage(), refused));
    } catch (IOException | RuntimeException failed) {
      started.tryFail(failed);
    }
  }

  private ExecRequest request(Request request) {
    return new ExecRequest(
        request.group(),
        request.process().orElseGet(() -> only(request.group())),
        request.index(),
        request.arguments(),
        request
            .terminal()
            .map(it -> new ExecRequest.Terminal(size(it.rows(), it.columns()), it.type())));
  }

  /** The only process of a group. */
  private String only(String group) {
    var names =
        supervisor
            .processes(group)
            .map(
                slots ->
                    slots.stream()
                        .filter(slot -> slot.cron().isEmpty())
                        .map(NodeCommands::process)
                        .distinct()
                        .toList())
            .orElseThrow(() -> new IllegalArgumentException("the supervisor begins to run"));
    if (names.size() != 1) {
      throw new IllegalArgumentException(
          names.isEmpty()
              ? "there are no processes of %s here".formatted(group)
              : "%s has several processes; choose one: %s/%s"
                  .formatted(group, group, String.join(", %s/".formatted(group), names)));
    }
    return names.get(0);
  }

  /** The process of {@code group/process.index}. */
  private static String process(ProcessGroup.Slot slot) {
    var name = slot.name();
    return name.substring(name.indexOf('/') + 1, name.lastIndexOf('.'));
  }

  private static ExecRequest.Size size(int rows, int columns) {
    return new ExecRequest.Size(rows, columns);
  }

  /** Kills all commands, and starts no more. */
  @Override
  public void close() {
    threads.shutdown();
    running.forEach(RunningCommand::kill);
  }

  /** A command with a client. */
  private final class Attached implements Session {
    private final RunningCommand command;

    /** The standard input is written by one task after the other. */
    private Future<Void> written = Future.succeededFuture();

    Attached(RunningCommand command) {
      this.command = command;
    }

    /** Sends all output, waits for the end, and says so. Uses this thread and another one. */
    void transfer(Client client) {
      var output = read(command.output(), bytes -> client.output(false, bytes));
      var errors = read(command.errors(), bytes -> client.output(true, bytes));
      int code;
      try {
        code = command.await();
        output.toCompletionStage().toCompletableFuture().join();
        errors.toCompletionStage().toCompletableFuture().join();
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
        return;
      } finally {
        running.remove(command);
      }
      client.exited(code);
    }

    private Future<Void> read(InputStream from, Sink to) {
      return task(
          () -> {
            var chunk = new byte[CHUNK];
            for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
              to.take(Arrays.copyOf(chunk, n));
            }
          });
    }

    @Override
    public synchronized Future<Void> input(byte[] bytes) {
      written =
          written.transform(
              done ->
                  task(
                      () -> {
                        command.input().write(bytes);
                        command.input().flush();
                      }));
      return written;
    }

    @Override
    public synchronized void endOfInput() {
      written = written.transform(done -> task(() -> command.input().close()));
    }

    @Override
    public void resize(int rows, int columns) {
      task(() -> command.resize(size(rows, columns)));
    }

    @Override
    public void close() {
      if (running.contains(command)) {
        command.terminate();
        loop.after(GRACE, () -> task(command::kill));
      }
    }
  }

  private interface Sink {
    void take(byte[] bytes) throws InterruptedException;
  }

  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  /** Runs in a thread of its own. A stream whose other end is closed is no failure of this node. */
  private Future<Void> task(Task task) {
    var done = Promise.<Void>promise();
    try {
      threads.execute(
          () -> {
            try {
              task.run();
            } catch (IOException closed) {
              LOG.debug("a stream of a command was closed", closed);
            } catch (InterruptedException stopping) {
              Thread.currentThread().interrupt();
            } finally {
              done.complete();
            }
          });
    } catch (RejectedExecutionException closing) {
      done.complete();
    }
    return done.future();
  }
}
