package verwalter.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An interactive shell. Commands see the effects of previous commands. */
final class Bash implements AutoCloseable {
  private static final String MARK = "@@@ ended with ";

  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  /** Starts a shell in {@code directory} with additional variables. */
  Bash(Path directory, Map<String, String> environment) throws IOException {
    var builder = new ProcessBuilder("bash", "--norc").directory(directory.toFile());
    builder.environment().putAll(environment);
    process = builder.redirectErrorStream(true).start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** The result of a command. */
  record Ending(int code, String text) {}

  /** Runs one line and waits for its end. */
  Ending type(String line, Duration limit) throws Exception {
    input.write("{ " + line + "\n} </dev/null\ncode=$?; echo; echo '" + MARK + "'$code\n");
    input.flush();
    var ending = CompletableFuture.supplyAsync(this::read);
    try {
      return ending.get(limit.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      return new Ending(-1, "it did not end within " + limit.toSeconds() + " s");
    }
  }

  private Ending read() {
    var text = new StringBuilder();
    try {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(MARK)) {
          return new Ending(Integer.parseInt(line.substring(MARK.length())), text.toString());
        }
        text.append(line).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Ending(-1, text + "the shell ended");
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
