package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * One session at an ensemble. Results arrive on the loop, and none arrives after the session was
 * closed or has ended. Confined to the loop.
 */
final class EnsembleSession {
  /** The time before a request is repeated that failed because there was no connection. */
  static final Duration RETRY = Duration.ofMillis(100);

  /** Receives the content of a node, which is empty unless the result is {@code OK}. */
  interface Reader {
    void read(Code result, byte[] data, Stat stat);
  }

  private final ZooKeeperClients clients;
  private final TimedExecutor loop;
  private final ZooKeeper client;

  /** Receives the reason why the session has ended. */
  private final Consumer<String> ended;

  private boolean over;

  private EnsembleSession(ZooKeeperClients clients, TimedExecutor loop, Consumer<String> ended)
      throws IOException {
    this.clients = clients;
    this.loop = loop;
    this.ended = ended;
    this.client = clients.connect(this::connectionChanged);
  }

  /**
   * Opens a session, which connects in the background.
   *
   * @param ended is called once, unless the session is closed before
   */
  static EnsembleSession open(ZooKeeperClients clients, TimedExecutor loop, Consumer<String> ended)
      throws IOException {
    return new EnsembleSession(clients, loop, ended);
  }

  /** Receives the changes of the connection, on the thread of the client. */
  private void connectionChanged(WatchedEvent event) {
    switch (event.getState()) {
      case Expired -> onLoop(() -> end("the session has expired"));
      case Disconnected -> onLoop(this::giveUpLater);
      default -> {}
    }
  }

  /** Ends the session if it has no connection for its own length. */
  private void giveUpLater() {
    loop.after(
        clients.session(),
        () -> {
          if (!over && !client.getState().isConnected()) {
            end("no connection for %d ms".formatted(clients.session().toMillis()));
          }
        });
  }

  private void end(String why) {
    close();
    ended.accept(why);
  }

  /** Ends the session without waiting for the ensemble, which forgets it when it expires. */
  void close() {
    if (!over) {
      over = true;
      clients.close(client);
    }
  }

  private void onLoop(Runnable task) {
    loop.execute(
        () -> {
          if (!over) {
            task.run();
          }
        });
  }

  /** Repeats a request later that has failed, unless the session has ended. */
  void again(Code failure, Runnable request) {
    switch (failure) {
      case SESSIONEXPIRED, AUTHFAILED -> {} // connectionChanged() ends the session
      default -> loop.after(RETRY, () -> onLoop(request));
    }
  }

  /** Waits until the server knows all that the leader of the ensemble knows now. */
  void sync(String path, Consumer<Code> result) {
    client.sync(path, (code, at, context) -> onLoop(() -> result.accept(Code.get(code))), null);
  }

  /** Looks whether a node exists; {@code changed} runs once when that or its content changes. */
  void exists(String path, Runnable changed, Consumer<Code> result) {
    client.exists(
        path,
        event -> {
          if (event.getType() != Watcher.Event.EventType.None) {
            onLoop(changed);
          }
        },
        (code, at, context, stat) -> onLoop(() -> result.accept(Code.get(code))),
        null);
  }

  void read(String path, Reader reader) {
    client.getData(
        path,
        false,
        (code, at, context, data, stat) ->
            onLoop(
                () ->
                    reader.read(
                        Code.get(code),
                        data == null ? new byte[0] : data,
                        stat == null ? new Stat() : stat)),
        null);
  }

  /** Reads the names of the nodes below one. */
  void children(String path, BiConsumer<Code, List<String>> result) {
    client.getChildren(
        path,
        false,
        (code, at, context, names) ->
            onLoop(() -> result.accept(Code.get(code), names == null ? List.of() : names)),
        null);
  }

  /** Does all of these, or none. */
  void transaction(List<Op> operations, Consumer<Code> result) {
    client.multi(
        operations,
        (code, at, context, results) -> onLoop(() -> result.accept(Code.get(code))),
        null);
  }

  void create(String path, byte[] data, CreateMode mode, Consumer<Code> result) {
    client.create(
        path,
        data,
        clients.access(),
        mode,
        (code, at, context, name) -> onLoop(() -> result.accept(Code.get(code))),
        null);
  }

  /** Creates a node unless it exists, and its parents before it. Repeats this until it succeeds. */
  void createWithParents(String path, byte[] data, Runnable then) {
    int slash = path.lastIndexOf('/');
    Runnable create =
        () ->
            create(
                path,
                data,
                CreateMode.PERSISTENT,
                result -> {
                  if (result == Code.OK || result == Code.NODEEXISTS) {
                    then.run();
                  } else {
                    again(result, () -> createWithParents(path, data, then));
                  }
                });
    if (slash <= 0) {
      create.run();
    } else {
      createWithParents(path.substring(0, slash), new byte[0], create);
    }
  }

  /**
   * Deletes a node.
   *
   * @param version its expected version; -1 for any
   */
  void delete(String path, int version, Consumer<Code> result) {
    client.delete(
        path, version, (code, at, context) -> onLoop(() -> result.accept(Code.get(code))), null);
  }
}
