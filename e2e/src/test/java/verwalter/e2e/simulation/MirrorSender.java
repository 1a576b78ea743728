package verwalter.e2e.simulation;

import java.time.Duration;
import java.util.stream.Collectors;
import verwalter.concurrent.Loop;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** Sends a follower's node objects to the leader after each change and periodically. */
final class MirrorSender {
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ObjectStore objects;
  private final RemoteStore leader;
  private final Loop loop;
  private final String node;
  private boolean busy;
  private boolean due = true;

  MirrorSender(ObjectStore objects, RemoteStore leader, Loop loop, String node) {
    this.objects = objects;
    this.leader = leader;
    this.loop = loop;
    this.node = node;
  }

  void start() {
    objects.watch(RoleInstance.KIND, loop, change -> changed());
    loop.execute(this::now);
  }

  private void now() {
    changed();
    loop.after(AGAIN, this::now);
  }

  private void changed() {
    due = true;
    send();
  }

  private void send() {
    if (busy || !due) {
      return;
    }
    busy = true;
    due = false;
    var body =
        objects.list(RoleInstance.KIND, new Selection.Node(node)).stream()
            .map(each -> Lines.line("PUT", each))
            .collect(Collectors.joining());
    // A cancelled request may still arrive; its number shows that it is older.
    long number = loop.now().toEpochMilli();
    leader
        .ask("/mirror/" + node + "/" + number, body)
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      due |= done.failed();
                      loop.after(
                          PAUSE,
                          () -> {
                            busy = false;
                            send();
                          });
                    }));
  }
}
