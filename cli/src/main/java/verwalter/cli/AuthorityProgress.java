package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.Watcher;
import verwalter.client.json.PlainJson;
import verwalter.model.AuthorityChange;

/**
 * Follows the replacement of the authority until it is done, and prints each step. The server may
 * be behind the node that accepted the change: states from before it do not count.
 */
final class AuthorityProgress implements Watcher.Sink {
  private static final Duration SILENCE = Duration.ofSeconds(90);

  private final Session session;
  private final long begin;
  private String shown = "";

  private AuthorityProgress(Session session, long begin) {
    this.session = session;
    this.begin = begin;
  }

  /**
   * Follows the change until it is done.
   *
   * @param change the change as the server answered
   */
  static void follow(Map<String, Object> change, Session session) throws IOException {
    var progress = new AuthorityProgress(session, version(change));
    if (progress.show(change)) {
      new Watcher(session.api(), () -> SILENCE, Following.BACKOFF, progress)
          .follow(
              session.type(AuthorityChange.KIND.plural()),
              ApiClient.Shape.OBJECTS,
              GoalWatch.named(AuthorityChange.CURRENT));
    }
  }

  private static long version(Map<String, Object> object) {
    var version = PlainJson.text(object, "metadata", "resourceVersion");
    return version.isEmpty() ? 0 : Long.parseLong(version);
  }

  /** Prints a state; returns whether the change goes on. */
  private boolean show(Map<String, Object> change) {
    if (version(change) < begin) {
      return true;
    }
    var line = AuthorityCommand.line(change);
    if (!line.equals(shown)) {
      session.say(line);
      shown = line;
    }
    return !AuthorityCommand.isDone(change);
  }

  @Override
  public boolean listed(Map<String, Object> answer, List<Item> items) {
    if (Item.of(answer).isEmpty() && version(answer) >= begin) {
      throw deleted();
    }
    return items.stream().allMatch(item -> show(item.object()));
  }

  @Override
  public boolean changed(String event, Item item) {
    if (!event.equals("DELETED")) {
      return show(item.object());
    }
    if (version(item.object()) >= begin) {
      throw deleted();
    }
    return true;
  }

  private static Failure deleted() {
    return Failure.error(
        "the change of the authority was deleted", "see its state: vw cluster status");
  }

  @Override
  public void lost(String why) {}

  @Override
  public void pause(Duration time) {
    session.environment().pause().pause(time);
  }
}
