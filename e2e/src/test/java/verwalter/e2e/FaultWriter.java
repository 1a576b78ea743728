package verwalter.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a cluster through one node, without a pause for its faults: creates objects, appends to
 * a list that all writers share, and sends actions. Remembers which writes were acknowledged,
 * refused, or neither.
 */
final class FaultWriter implements AutoCloseable {
  /** The object whose annotation is the shared list. */
  static final String LIST = "list";

  private static final String TOUCHED = "touched";
  private static final String RULES = "accessrules";
  private static final String ANNOTATION = "elements";
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** Longer than an agent waits for a majority. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final SocketClient client;
  private final String name;
  private final CountDownLatch over = new CountDownLatch(1);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Writes objects = new Writes();
  private final Writes elements = new Writes();
  private final Writes actions = new Writes();

  /** Writes of one kind by their result. */
  static final class Writes {
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    private void note(String token, SocketClient.Answer answer) {
      if (answer.accepted()) {
        acknowledged.add(token);
      } else if (answer.status() == 409) {
        refused.add(token);
      } else {
        unknown.add(token);
      }
    }

    /** Compares the writes with the stored elements. An element may be stored more than once. */
    private void check(String kind, List<String> present, List<String> faults) {
      for (var token : acknowledged) {
        int times = Collections.frequency(present, token);
        if (times != 1) {
          faults.add("%s %s was acknowledged, and is there %d times".formatted(kind, token, times));
        }
      }
      for (var token : unknown) {
        int times = Collections.frequency(present, token);
        if (times > 1) {
          faults.add("%s %s is there %d times".formatted(kind, token, times));
        }
      }
      for (var token : refused) {
        if (present.contains(token)) {
          faults.add("%s %s was refused, and is there".formatted(kind, token));
        }
      }
    }

    @Override
    public String toString() {
      return "%d/%d/%d".formatted(acknowledged.size(), refused.size(), unknown.size());
    }
  }

  private FaultWriter(SocketClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Creates the shared list. */
  static void createList(SocketClient client) {
    var answer = client.create(RULES, rule(LIST), LIMIT);
    if (!answer.accepted()) {
      throw new AssertionError("no list: " + answer);
    }
  }

  /** Writes to an object that has no other use. Returns whether it was acknowledged. */
  static boolean touch(FaultyNode node) {
    var change =
        Map.<String, Object>of(
            "metadata", Map.of("annotations", Map.of("touched", node + " " + System.nanoTime())));
    var answer = node.client().patch(RULES, TOUCHED, change, LIMIT);
    return answer.accepted() || node.client().create(RULES, rule(TOUCHED), LIMIT).accepted();
  }

  /**
   * Starts a writer.
   *
   * @param name the beginning of all that it writes
   */
  static FaultWriter start(SocketClient client, String name) {
    var writer = new FaultWriter(client, name);
    var thread = new Thread(writer::run, "writer-" + name);
    thread.start();
    return writer;
  }

  private static Map<String, Object> rule(String name) {
    return Map.of(
        "apiVersion",
        "verwalter.io/v1",
        "kind",
        "AccessRule",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of("subjects", List.of(Map.of("kind", "User", "name", "nobody")), "grants", "viewer"));
  }

  private void run() {
    try {
      for (int turn = 0; !over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS); turn++) {
        var token = name + "-" + turn;
        switch (turn % 4) {
          case 0, 2 -> objects.note(token, client.create(RULES, rule(token), LIMIT));
          case 1 -> append(token);
          default -> actions.note(token, client.post("/v1/action", Map.of("token", token), LIMIT));
        }
      }
    } catch (InterruptedException stopped) {
      // the test is over
    } finally {
      ended.complete(null);
    }
  }

  /** Appends to the list that was read, unless it was changed since. */
  private void append(String token) {
    var list = client.object(RULES, LIST);
    if (list.isMissingNode()) {
      return;
    }
    var present = list.at("/metadata/annotations/" + ANNOTATION).asText();
    var change =
        Map.<String, Object>of(
            "metadata",
            Map.of(
                "resourceVersion",
                list.at("/metadata/resourceVersion").asText(),
                "annotations",
                Map.of(ANNOTATION, (present + " " + token).strip())));
    elements.note(token, client.patch(RULES, LIST, change, LIMIT));
  }

  /** Whether something was acknowledged of each kind. */
  boolean hasWritten() {
    return !objects.acknowledged.isEmpty() && !actions.acknowledged.isEmpty();
  }

  /** Lets the write in progress be the last one. */
  void stop() {
    over.countDown();
  }

  /** Ends after the write in progress. */
  @Override
  public void close() {
    stop();
    ended.join();
  }

  /** The differences between these writes and the objects that a node shows. */
  List<String> faults(SocketClient reader) {
    var faults = new ArrayList<String>();
    var rules = reader.objects(RULES);
    var names = rules.stream().map(it -> it.at("/metadata/name").asText()).toList();
    objects.check("object", names, faults);
    var list =
        rules.stream()
            .filter(it -> it.at("/metadata/name").asText().equals(LIST))
            .map(it -> it.at("/metadata/annotations/" + ANNOTATION).asText())
            .findFirst()
            .orElse("");
    elements.check("element", List.of(list.split(" ", -1)), faults);
    actions.check(
        "action",
        counted(reader.object("schedules", "current").at("/spec/data/state/counts")),
        faults);
    return faults;
  }

  private static List<String> counted(JsonNode counts) {
    var tokens = new ArrayList<String>();
    for (var count : counts.properties()) {
      tokens.addAll(Collections.nCopies(count.getValue().asInt(), count.getKey()));
    }
    return tokens;
  }

  /** The numbers of acknowledged, refused and other writes of each kind. */
  @Override
  public String toString() {
    return "objects=%s elements=%s actions=%s".formatted(objects, elements, actions);
  }
}
