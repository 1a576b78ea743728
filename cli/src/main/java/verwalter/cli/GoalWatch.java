package verwalter.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.Watcher;

/**
 * Follows objects until they reach a goal, or until a deadline. A lost connection is made again.
 */
final class GoalWatch implements Watcher.Sink {
  private final Session session;
  private final Instant deadline;
  private final Goal goal;
  private final Map<String, Map<String, Object>> objects = new LinkedHashMap<>();
  private boolean reached;
  private boolean silent;

  /** What the objects should be. Asked at first and after each change. */
  interface Goal {
    boolean isReached(Collection<Map<String, Object>> objects) throws IOException;
  }

  private GoalWatch(Session session, Instant deadline, Goal goal) {
    this.session = session;
    this.deadline = deadline;
    this.goal = goal;
  }

  /** Whether the objects of a query reached the goal before the deadline. */
  static boolean await(
      ResourceType type, QueryParameters query, Instant deadline, Goal goal, Session session)
      throws IOException {
    var watch = new GoalWatch(session, deadline, goal);
    try {
      new Watcher(session.api(), watch::left, Following.BACKOFF, watch)
          .follow(type, ApiClient.Shape.OBJECTS, query);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return watch.reached;
  }

  /** Selects an object by its name. */
  static QueryParameters named(String name) {
    return QueryParameters.NONE.field("metadata.name", name);
  }

  private Duration left() {
    var left = Duration.between(session.now(), deadline);
    return left.toMillis() < 100 ? Duration.ofMillis(100) : left;
  }

  @Override
  public boolean continues() {
    return !silent && session.now().isBefore(deadline);
  }

  @Override
  public boolean listed(Map<String, Object> answer, List<Item> items) {
    objects.clear();
    Item.of(answer).forEach(item -> objects.put(item.name(), item.object()));
    return more();
  }

  @Override
  public boolean changed(String event, Item item) {
    if (event.equals("DELETED")) {
      objects.remove(item.name());
    } else {
      objects.put(item.name(), item.object());
    }
    return more();
  }

  private boolean more() {
    try {
      reached = goal.isReached(objects.values());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !reached;
  }

  /** The silence of a watch ends at the deadline. */
  @Override
  public void silent() {
    silent = true;
  }

  @Override
  public void lost(String why) {}

  @Override
  public void pause(Duration time) {
    session.environment().pause().pause(time);
  }
}
