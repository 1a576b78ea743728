package verwalter.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.StreamSupport;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;

/** Requests to an agent over its unix socket, which is reachable from every network namespace. */
final class SocketClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OBJECTS = "/apis/verwalter.io/v1/";

  private final Endpoint endpoint;

  SocketClient(Path socket) {
    this.endpoint = Endpoint.of("unix:" + socket);
  }

  /**
   * An answer.
   *
   * @param status the HTTP status; 0 if there was no answer in time
   * @param headers by lower-case name
   * @param body the JSON; missing if it is something else
   */
  record Answer(int status, Map<String, String> headers, JsonNode body) {
    private static final Answer NONE = new Answer(0, Map.of(), MissingNode.getInstance());

    boolean accepted() {
      return status >= 200 && status < 300;
    }
  }

  /** Collects an answer. */
  private static final class Collector implements Receiver {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private Map<String, String> headers = Map.of();

    @Override
    public void head(int code, Map<String, String> lines) {
      status = code;
      headers = lines;
    }

    @Override
    public void data(byte[] bytes, Runnable next) {
      body.writeBytes(bytes);
      next.run();
    }

    @Override
    public void end() {
      answer.complete(new Answer(status, headers, parsed(body.toByteArray())));
    }

    @Override
    public void failed(IOException why) {
      answer.complete(Answer.NONE);
    }

    private static JsonNode parsed(byte[] text) {
      try {
        return JSON.readTree(text);
      } catch (IOException other) {
        return MissingNode.getInstance();
      }
    }
  }

  /** Reads a path. */
  Answer get(String path, Duration limit) {
    return send(Request.of("GET", path, Map.of()), limit);
  }

  /** One object, or a missing node. */
  JsonNode object(String plural, String name) {
    var answer = get(OBJECTS + plural + "/" + name, Duration.ofSeconds(5));
    return answer.accepted() ? answer.body() : MissingNode.getInstance();
  }

  /**
   * All objects of a kind.
   *
   * @throws AssertionError if there is no answer
   */
  List<JsonNode> objects(String plural) {
    var answer = get(OBJECTS + plural, Duration.ofSeconds(5));
    if (!answer.accepted()) {
      throw new AssertionError(endpoint + " does not list " + plural + ": " + answer.status());
    }
    return StreamSupport.stream(answer.body().path("items").spliterator(), false).toList();
  }

  /** Creates an object. */
  Answer create(String plural, Map<String, Object> object, Duration limit) {
    return send("POST", OBJECTS + plural, "application/json", object, limit);
  }

  /** Changes an object by a merge patch. */
  Answer patch(String plural, String name, Map<String, Object> change, Duration limit) {
    return send(
        "PATCH", OBJECTS + plural + "/" + name, "application/merge-patch+json", change, limit);
  }

  /** Sends a JSON object to a path. */
  Answer post(String path, Map<String, Object> object, Duration limit) {
    return send("POST", path, "application/json", object, limit);
  }

  private Answer send(
      String method, String path, String type, Map<String, Object> object, Duration limit) {
    try {
      var text = JSON.writeValueAsString(object).getBytes(StandardCharsets.UTF_8);
      return send(new Request(method, path, Map.of("Content-Type", type), text), limit);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Answer send(Request request, Duration limit) {
    var collector = new Collector();
    try (var transport = new SocketTransport(endpoint, Tls.SYSTEM, SocketClient::inThread)) {
      transport.send(request, collector);
      return collector.answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return Answer.NONE;
    } catch (ExecutionException | InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static void inThread(Runnable task) {
    var thread = new Thread(task, "request");
    thread.setDaemon(true);
    thread.start();
  }
}
