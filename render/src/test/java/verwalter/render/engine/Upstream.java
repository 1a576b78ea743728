package verwalter.render.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The engines of upstream, in their own process (src/test/upstream). */
public final class Upstream implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String program;
  private @Nullable Running running;

  private record Running(Process process, BufferedWriter in, BufferedReader out) {
    static Running start(String program) throws IOException {
      var process =
          new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return new Running(
          process,
          process.outputWriter(StandardCharsets.UTF_8),
          process.inputReader(StandardCharsets.UTF_8));
    }
  }

  /**
   * Starts with the first question.
   *
   * @param program the path of the executable
   */
  public Upstream(String program) {
    this.program = program;
  }

  /** The output of a template; empty if it is refused, or if the engine crashes. */
  Optional<String> rendered(
      String engine, Map<String, String> files, String main, Map<String, Object> variables)
      throws IOException {
    return answer(Map.of("engine", engine, "files", files, "main", main, "vars", variables))
        .flatMap(answer -> Optional.ofNullable(answer.get("text")))
        .map(JsonNode::asText);
  }

  /** The answer to a question; empty if the program crashes. */
  public Optional<JsonNode> answer(Map<String, ?> question) throws IOException {
    if (running == null) {
      running = Running.start(program);
    }
    running.in().write(JSON.writeValueAsString(question) + "\n");
    running.in().flush();
    var answer = running.out().readLine();
    if (answer == null) {
      running = null;
      return Optional.empty();
    }
    return Optional.of(JSON.readTree(answer));
  }

  @Override
  public void close() {
    if (running != null) {
      running.process().destroyForcibly();
    }
  }
}
