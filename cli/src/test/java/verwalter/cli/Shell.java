package verwalter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import verwalter.client.testkit.ScriptedServer;

/** Runs {@code vw} as an operator's shell does, at a fixed time. */
final class Shell {
  static final Instant NOW = Instant.parse("2026-11-21T10:31:50Z");

  final Map<String, String> environment = new HashMap<>(Map.of("LANG", "C.UTF-8"));
  final List<Duration> pauses = new ArrayList<>();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Environment.Programs programs = Shell::real;
  private String typed = "";
  private boolean terminal;
  private int enough = Integer.MAX_VALUE;
  private final SplittableRandom chance = new SplittableRandom(1);
  private Instant now = NOW;
  private Runnable afterLine = () -> {};
  private Runnable meanwhile = () -> {};

  Shell(ScriptedServer server) {
    environment.put("VERWALTER_SERVER", server.url());
  }

  Shell() {}

  /** A terminal on which an operator types this. */
  Shell typing(String text) {
    typed = text;
    terminal = true;
    return this;
  }

  /** Standard input with this text. */
  Shell reading(String text) {
    typed = text;
    return this;
  }

  /** Output whose reader stops after this many lines, as {@code head -n} does. */
  Shell untilLines(int lines) {
    enough = lines;
    return this;
  }

  Shell running(Environment.Programs programs) {
    this.programs = programs;
    return this;
  }

  /** Runs the task whenever a command waits. */
  void onPause(Runnable task) {
    meanwhile = task;
  }

  /** Runs the task after the first line of the output. */
  void onLine(Runnable task) {
    afterLine = task;
  }

  int vw(String... words) {
    printed.reset();
    err.reset();
    return Vw.run(List.of(words), environment());
  }

  String out() {
    return printed.toString(UTF_8);
  }

  String err() {
    return err.toString(UTF_8);
  }

  private Environment environment() {
    InstantSource clock = () -> now;
    return new Environment(
        new ByteArrayInputStream(typed.getBytes(UTF_8)),
        new Reader(),
        new PrintStream(err, true, UTF_8),
        environment,
        new Environment.Terminals(terminal, terminal, terminal),
        clock,
        time -> {
          pauses.add(time);
          meanwhile.run();
          now = now.plus(time);
        },
        programs,
        () -> chance,
        OwnTerminal.NONE);
  }

  private static int real(List<String> command, Path file) {
    var whole = new ArrayList<>(command);
    whole.add(file.toString());
    try {
      return new ProcessBuilder(whole).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Standard output whose reader may stop reading. */
  private final class Reader extends PrintStream {
    Reader() {
      super(printed, true, UTF_8);
    }

    @Override
    public void print(String text) {
      super.print(text);
      var task = afterLine;
      afterLine = () -> {};
      task.run();
    }

    @Override
    public boolean checkError() {
      return printed.toString(UTF_8).lines().count() >= enough;
    }
  }
}
