package verwalter.ui.v1;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.model.json.Json;
import verwalter.ui.access.Admission;
import verwalter.ui.port.CommandSessions;

/**
 * One command over a WebSocket. The command ends when the connection does, after {@link #IDLE}
 * without a byte, and after {@link #MOST_BYTES}. Its begin and its end are in the audit log,
 * without its arguments. Belongs to the loop.
 */
final class ExecSocket {
  private static final Logger LOG = LoggerFactory.getLogger(ExecSocket.class);

  /** The limit of the time without a byte in either direction. */
  private static final Duration IDLE = Duration.ofMinutes(30);

  /** A client that is gone is noticed by a ping that it does not answer until the third one. */
  private static final Duration PING = Duration.ofSeconds(15);

  private static final int UNANSWERED = 3;

  /** The limit of all bytes of a session, in both directions together. */
  private static final long MOST_BYTES = 16L << 30;

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._+-]{1,64}");

  private final ServerWebSocket socket;
  private final Target target;
  private final CommandSessions commands;
  private final Loop loop;
  private final Admission admission;
  private final Runnable ended;
  private Optional<String> started = Optional.empty();
  private boolean ready;
  private CommandSessions.@Nullable Session session;
  private String hash = "";
  private Duration quiet = Duration.ZERO;
  private int unanswered;
  private final Deque<Buffer> pending = new ArrayDeque<>();
  private boolean busy;
  private long bytes;
  private boolean over;

  /** The process that a command runs beside. */
  record Target(String node, String group, Optional<String> process, int index) {
    String title() {
      return group + process.map(it -> "/" + it + "." + index).orElse("") + "@" + node;
    }
  }

  /**
   * Creates a session.
   *
   * @param socket paused
   * @param ended called once
   */
  ExecSocket(
      ServerWebSocket socket,
      Target target,
      CommandSessions commands,
      Loop loop,
      Admission admission,
      Runnable ended) {
    this.socket = socket;
    this.target = target;
    this.commands = commands;
    this.loop = loop;
    this.admission = admission;
    this.ended = ended;
  }

  /** Begins to read. */
  void start() {
    admission.recordsItself();
    socket.exceptionHandler(failure -> LOG.debug("the connection of a command failed", failure));
    socket.closeHandler(closed -> onLoop(() -> end("exec-end", 499)));
    socket.pongHandler(pong -> onLoop(() -> unanswered = 0));
    socket.binaryMessageHandler(
        message -> {
          socket.pause();
          onLoop(
              () -> {
                pending.add(message);
                next();
              });
        });
    socket.resume();
    loop.after(PING, this::ping);
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException closing) {
      socket.close();
    }
  }

  /**
   * Handles the next message when the one before is done. More than one may wait: the pause of the
   * socket has no effect on what has arrived.
   */
  private void next() {
    while (!over && !busy) {
      var message = pending.poll();
      if (message == null) {
        unanswered = 0;
        socket.resume();
        return;
      }
      if (message.length() > 0) {
        busy = true;
        received(message);
      }
    }
  }

  private void done() {
    busy = false;
    next();
  }

  private void received(Buffer message) {
    count(message.length());
    if (over) {
      return;
    }
    var rest = message.slice(1, message.length());
    try {
      var channel =
          ExecChannel.of(message.getByte(0))
              .orElseThrow(() -> new IllegalArgumentException("there is no such channel"));
      if (!ready) {
        begin(channel, rest);
      } else {
        use(channel, rest);
      }
    } catch (IllegalArgumentException malformed) {
      fail(String.valueOf(malformed.getMessage()));
    }
  }

  private void begin(ExecChannel channel, Buffer text) {
    if (channel != ExecChannel.CONTROL) {
      throw new IllegalArgumentException("the first message must say what to run");
    }
    ready = true;
    var wanted = ExecMessage.read(text);
    hash = Admission.hash(text);
    var program = wanted.arguments().isEmpty() ? "" : " " + name(wanted.arguments().get(0));
    admission.record("exec", target.title() + program, 101, hash);
    started = Optional.of(target.title() + program);
    commands
        .start(
            new CommandSessions.Request(
                target.group(),
                target.process(),
                target.index(),
                wanted.arguments(),
                wanted.terminal()),
            new Receiver())
        .onSuccess(running -> onLoop(() -> started(running)))
        .onFailure(failure -> onLoop(() -> fail(reason(failure))));
  }

  private static String reason(Throwable failure) {
    return failure instanceof IllegalArgumentException
        ? String.valueOf(failure.getMessage())
        : "the command cannot be started: " + failure;
  }

  /** The name of a program, for the audit log. */
  private static String name(String program) {
    var last = program.substring(program.lastIndexOf('/') + 1);
    return PLAIN.matcher(last).matches() ? last : "(a program with an unusual name)";
  }

  private void started(CommandSessions.Session running) {
    if (over) {
      running.close();
      return;
    }
    session = running;
    done();
  }

  private void use(ExecChannel channel, Buffer rest) {
    var running = session;
    if (running == null) {
      return; // the command has not started, so the message before is not done
    }
    Future<Void> taken = Future.succeededFuture();
    switch (channel) {
      case INPUT -> taken = running.input(rest.getBytes());
      case END_OF_INPUT -> running.endOfInput();
      case CONTROL -> {
        var size = ExecMessage.Size.read(rest);
        running.resize(size.rows(), size.columns());
      }
      default -> throw new IllegalArgumentException("a client does not send on this channel");
    }
    taken.onComplete(any -> onLoop(this::done));
  }

  private void count(int more) {
    quiet = Duration.ZERO;
    bytes += more;
    if (bytes > MOST_BYTES) {
      fail("the session has transferred more than 16 GiB");
    }
  }

  private void ping() {
    if (over) {
      return;
    }
    quiet = quiet.plus(PING);
    if (quiet.compareTo(IDLE) >= 0) {
      fail("no byte was transferred for %d minutes".formatted(IDLE.toMinutes()));
      return;
    }
    if (!busy && unanswered >= UNANSWERED) {
      socket.close();
      end("exec-end", 499);
      return;
    }
    unanswered++;
    socket.writePing(Buffer.buffer()).onFailure(gone -> onLoop(() -> end("exec-end", 499)));
    loop.after(PING, this::ping);
  }

  private void fail(String why) {
    if (!over) {
      result(Map.of("error", why));
      end("exec-end", session == null ? 422 : 499);
    }
  }

  private void exited(int code) {
    if (!over) {
      result(Map.of("exitCode", (long) code));
      end("exec-end", code);
    }
  }

  private void result(Map<String, Object> fields) {
    socket
        .writeBinaryMessage(message(ExecChannel.RESULT, Json.canonical(fields).getBytes(UTF_8)))
        .onComplete(sent -> socket.close());
  }

  private void end(String verb, int outcome) {
    if (over) {
      return;
    }
    over = true;
    started.ifPresent(object -> admission.record(verb, object, outcome, hash));
    admission.end();
    ended.run();
    if (session != null) {
      session.close();
    }
  }

  private static Buffer message(ExecChannel channel, byte[] bytes) {
    return Buffer.buffer(bytes.length + 1).appendByte(channel.number()).appendBytes(bytes);
  }

  /** Called by the threads of the command. */
  private final class Receiver implements CommandSessions.Client {
    @Override
    public void output(boolean error, byte[] bytes) throws InterruptedException {
      onLoop(() -> count(bytes.length));
      var channel = error ? ExecChannel.ERRORS : ExecChannel.OUTPUT;
      try {
        socket
            .writeBinaryMessage(message(channel, bytes))
            .toCompletionStage()
            .toCompletableFuture()
            .get();
      } catch (ExecutionException gone) {
        LOG.debug("output of a command was not sent", gone);
      }
    }

    @Override
    public void exited(int code) {
      onLoop(() -> ExecSocket.this.exited(code));
    }
  }
}
