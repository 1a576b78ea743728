package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.Watcher;
import verwalter.client.json.PlainJson;
import verwalter.concurrent.Backoff;

/** {@code vw get -w}: prints the objects and then every change; resumes after a lost connection. */
final class Following implements Watcher.Sink {
  private static final Duration SILENCE = Duration.ofSeconds(90);

  /** How long to wait between attempts to watch. */
  static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(250), Duration.ofSeconds(8));

  private final Session session;
  private final Printing.Look look;
  private final Target target;
  private final Printing printing;
  private Map<String, Object> columns = Map.of();
  private boolean showing;
  private boolean away;

  private Following(Session session, Printing.Look look, Target target) {
    this.session = session;
    this.look = look;
    this.target = target;
    this.printing = new Printing(session, look, target.type());
  }

  static Following of(Session session, Printing.Look look, List<Target> targets) {
    if (targets.size() != 1 || targets.get(0).names().size() > 1) {
      throw Failure.usage("-w watches one type, or one object", "for example: vw get nodes -w");
    }
    return new Following(session, look, targets.get(0));
  }

  /** Watches until the reader of standard output is gone. */
  Exit run(QueryParameters query, boolean first) throws IOException {
    showing = first;
    var shape = look.form().isTable() ? ApiClient.Shape.TABLE : ApiClient.Shape.OBJECTS;
    var selected = query;
    if (!target.names().isEmpty()) {
      var name = target.names().get(0);
      session.api().get(target.type(), name, ApiClient.Shape.OBJECTS, QueryParameters.NONE);
      selected = query.field("metadata.name", name);
    }
    new Watcher(session.api(), () -> SILENCE, BACKOFF, this).follow(target.type(), shape, selected);
    return Exit.OK;
  }

  @Override
  public boolean listed(Map<String, Object> answer, List<Item> items) {
    columns = Map.of("columnDefinitions", PlainJson.list(answer, "columnDefinitions"));
    back();
    if (showing) {
      printing.print("ADDED", answer, items);
    }
    showing = true;
    return !session.unread();
  }

  @Override
  public boolean changed(String event, Item item) {
    back();
    printing.print(event, columns, List.of(item));
    return !session.unread();
  }

  @Override
  public void lost(String why) {
    if (!away) {
      session
          .environment()
          .err()
          .println(
              "error: lost " + session.server() + " (" + why + "); watching again when it is back");
    }
    away = true;
  }

  @Override
  public void pause(Duration time) {
    session.environment().pause().pause(time);
  }

  private void back() {
    away = false;
  }
}
