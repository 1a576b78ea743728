package verwalter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.WebSocket;

/**
 * Connects the streams of this process with a command on a node. The first byte of each message is
 * the number of its channel.
 */
final class ExecSession {
  private static final byte INPUT = 0;
  private static final byte OUTPUT = 1;
  private static final byte ERRORS = 2;
  private static final byte RESULT = 3;
  private static final byte CONTROL = 4;
  private static final byte END_OF_INPUT = (byte) 255;

  private static final int CHUNK = 16 << 10;
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** The server pings four times in this time. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private final Environment environment;
  private final WebSocket socket;
  private final Optional<OwnTerminal.Size> terminal;
  private volatile Instant heard;
  private volatile boolean silent;
  private volatile boolean over;

  /**
   * @param terminal the size of the terminal of the command; empty for pipes
   */
  ExecSession(Environment environment, WebSocket socket, Optional<OwnTerminal.Size> terminal) {
    this.environment = environment;
    this.socket = socket;
    this.terminal = terminal;
    this.heard = environment.clock().instant();
  }

  /** Runs the command until it ends. */
  VerbResult run(Map<String, Object> message) throws IOException {
    control(message);
    boolean raw = terminal.isPresent() && environment.terminals().in();
    var restoring = (raw ? environment.terminal() : OwnTerminal.NONE).raw();
    try {
      ServerAccess.inThread(this::sendInput);
      ServerAccess.inThread(this::look);
      return receive();
    } catch (IOException lost) {
      if (silent) {
        throw Failure.error(
            "the node has not answered for %d s".formatted(SILENCE.toSeconds()),
            "see its state: vw get nodes");
      }
      throw lost;
    } finally {
      over = true;
      restoring.close();
    }
  }

  private VerbResult receive() throws IOException {
    while (true) {
      var message =
          socket
              .receive(() -> heard = environment.clock().instant())
              .orElseThrow(() -> new IOException("the session was closed by the server"));
      if (message.length == 0) {
        continue;
      }
      switch (message[0]) {
        case OUTPUT -> print(environment.out(), message);
        case ERRORS -> print(environment.err(), message);
        case RESULT -> {
          return result(PlainJson.readObject(Arrays.copyOfRange(message, 1, message.length)));
        }
        default -> {} // of a later version
      }
    }
  }

  private static void print(PrintStream to, byte[] message) {
    to.write(message, 1, message.length - 1);
    to.flush();
  }

  private static VerbResult result(Map<String, Object> result) {
    if (result.get("exitCode") instanceof Number code) {
      return new RemoteExit(code.intValue());
    }
    throw Failure.error(PlainJson.text(result, "error"), "see what runs: vw get pg");
  }

  private void sendInput() {
    var chunk = new byte[CHUNK + 1];
    chunk[0] = INPUT;
    try {
      for (int n = environment.in().read(chunk, 1, CHUNK);
          n >= 0;
          n = environment.in().read(chunk, 1, CHUNK)) {
        socket.send(chunk, n + 1);
      }
      socket.send(new byte[] {END_OF_INPUT}, 1);
    } catch (IOException gone) {
      over = true; // the main thread says why
    }
  }

  /** Passes on changes of the size, and notices a node that is gone. */
  private void look() {
    var size = terminal;
    while (!over) {
      environment.pause().pause(LOOK);
      if (heard.plus(SILENCE).isBefore(environment.clock().instant())) {
        silent = true;
        socket.close();
        return;
      }
      var now = terminal.isPresent() ? environment.terminal().size().or(() -> terminal) : terminal;
      if (!now.equals(size)) {
        size = now;
        try {
          control(fields(now.orElseThrow()));
        } catch (IOException gone) {
          return; // the main thread says why
        }
      }
    }
  }

  private void control(Map<String, Object> fields) throws IOException {
    var text = PlainJson.line(fields).getBytes(UTF_8);
    var message = new byte[text.length + 1];
    message[0] = CONTROL;
    System.arraycopy(text, 0, message, 1, text.length);
    socket.send(message, message.length);
  }

  /** The fields of a size. */
  static Map<String, Object> fields(OwnTerminal.Size size) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("rows", (long) size.rows());
    fields.put("columns", (long) size.columns());
    return fields;
  }
}
