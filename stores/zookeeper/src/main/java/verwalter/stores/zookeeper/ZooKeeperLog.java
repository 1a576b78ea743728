package verwalter.stores.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.replicated.LogBlock;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * A replicated log in ZooKeeper. All state belongs to the loop.
 *
 * <p>Below the root there are
 *
 * <ul>
 *   <li>{@code log/N}, a {@link LogBlock} whose first entry has the number N, with 19 digits;
 *   <li>{@code tail}, the number of the next entry;
 *   <li>{@code base}, the number of the last entry that may be removed.
 * </ul>
 *
 * An append creates {@code log/N} and changes {@code tail} in one transaction. It fails if {@code
 * log/N} exists, or if {@code base} has changed since it was last read: otherwise a process that
 * has been away could append at a number that was trimmed.
 *
 * <p>After a lost connection the result of a request is unknown. The log then reads the tail again
 * and what is new. If there is a block at N, its id says whose it is; if there is none, the append
 * is repeated. An earlier request may still arrive, but only one of them can create the block.
 */
public final class ZooKeeperLog implements ReplicatedLog {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLog.class);

  /** The time before a request is repeated that failed because there was no connection. */
  private static final Duration RETRY = Duration.ofMillis(100);

  /** ZooKeeper's own part of a request or response, which its limit includes. */
  private static final int ENVELOPE = 4096;

  private final ZooKeeperClients clients;
  private final String root;
  private final TimedExecutor loop;
  private final Supplier<UUID> ids;
  private final long largest;

  private @Nullable ZooKeeper client;

  /** Counts the clients, so that responses to earlier ones are ignored. */
  private int session;

  private @Nullable Follower follower;

  /** The number of the entry that is reported next. */
  private long next;

  /**
   * The contents of {@code tail} and {@code base}, and the version of the latter, when last read.
   */
  private long tail;

  private long base;
  private int baseVersion;

  /** Whether a reading is in progress, and whether the tail has changed since it began. */
  private boolean reading;

  private boolean changed;

  private @Nullable Append pending;

  /** Whether the request of the pending append is in progress. */
  private boolean sent;

  private boolean recovers;
  private long trimmable;
  private boolean trimming;
  private boolean over;

  /** An append whose result is unknown. */
  private record Append(long first, LogBlock block, Receipt receipt) {
    long end() {
      return first + block.entries().size();
    }
  }

  /** A request whose response belongs to a client. */
  private interface Response {
    void received(Code code, byte[] data, Stat stat);
  }

  /**
   * Creates a log that is not connected.
   *
   * @param root the path below which the log lies, such as {@code /verwalter}
   * @param ids supplies unique ids
   */
  public ZooKeeperLog(
      ZooKeeperClients clients, String root, TimedExecutor loop, Supplier<UUID> ids) {
    this.clients = clients;
    this.root = root;
    this.loop = loop;
    this.ids = ids;
    this.largest = clients.largestRequest() - (long) ENVELOPE;
  }

  /**
   * Creates a log that continues the entries of a lost one: if there is no log, it begins with the
   * first entry that is followed, as if those before had been trimmed. The caller must know that
   * the lost log is gone for good.
   */
  public static ZooKeeperLog recovering(
      ZooKeeperClients clients, String root, TimedExecutor loop, Supplier<UUID> ids) {
    var log = new ZooKeeperLog(clients, root, loop, ids);
    log.recovers = true;
    return log;
  }

  @Override
  public void follow(long from, Follower follower) {
    loop.execute(
        () -> {
          this.follower = follower;
          next = from;
          connect();
        });
  }

  @Override
  public void append(long first, List<ByteBuffer> entries, Receipt receipt) {
    if (LogBlock.size(entries) > largest) {
      throw new IllegalArgumentException("an append of more than %d bytes".formatted(largest));
    }
    var append = new Append(first, new LogBlock(ids.get(), entries), receipt);
    loop.execute(
        () -> {
          if (over) {
            receipt.unknown(this + " is closed");
          } else {
            pending = append;
            send();
          }
        });
  }

  @Override
  public long largestAppend() {
    return largest;
  }

  @Override
  public void trim(long last) {
    loop.execute(
        () -> {
          trimmable = Math.max(trimmable, last);
          trim();
        });
  }

  @Override
  public void close() {
    loop.execute(() -> end(this + " is closed"));
  }

  @Override
  public String toString() {
    return clients + root;
  }

  private void end(String why) {
    if (over) {
      return;
    }
    over = true;
    if (client != null) {
      clients.close(client);
    }
    if (pending != null) {
      pending.receipt().unknown(why);
      pending = null;
    }
  }

  /** Ends following because the log is not as this process knows it. */
  private void lost(String why) {
    if (!over) {
      end(why);
      LOG.error("log={} {}", this, why);
      if (follower != null) {
        follower.ended(why);
      }
    }
  }

  /** Ends following because the next entry was trimmed. */
  private void trimmedAway() {
    end("entries up to %d were removed, but entry %d is needed".formatted(base, next));
    if (follower != null) {
      follower.trimmed(base);
    }
  }

  /** Connects as soon as the servers can answer. */
  private void connect() {
    clients.serving().execute(() -> loop.execute(this::open));
  }

  private void open() {
    if (over || client != null) {
      return;
    }
    try {
      int of = ++session;
      client = clients.connect(event -> connectionChanged(of, event));
      sent = false;
      reading = false;
      trimming = false;
      read();
    } catch (IOException failure) {
      LOG.warn("log={} cannot connect: {}", this, failure.getMessage());
      loop.after(RETRY, this::connect);
    }
  }

  /** Receives the changes of the connection, on the thread of the client. */
  private void connectionChanged(int of, WatchedEvent event) {
    if (event.getState() == Watcher.Event.KeeperState.Expired) {
      onLoop(of, () -> replace("the session has expired"));
    } else if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
      onLoop(of, () -> giveUpLater(of, requireClient()));
    }
  }

  /**
   * Replaces a client that has lost its connection for the length of a session. It never connects
   * to servers that know less than it has seen, such as those of a log that was lost.
   */
  private void giveUpLater(int of, ZooKeeper watched) {
    loop.after(
        clients.session(),
        () -> {
          if (of == session && !over && !watched.getState().isConnected()) {
            replace("no connection for %d ms".formatted(clients.session().toMillis()));
          }
        });
  }

  private void replace(String why) {
    LOG.info("log={} {}; connecting again", this, why);
    clients.close(requireClient());
    client = null;
    session++;
    connect();
  }

  /** Reads the tail, and everything up to it. */
  private void read() {
    changed = true;
    if (reading || over || client == null) {
      return;
    }
    reading = true;
    changed = false;
    get(
        "base",
        null,
        (code, found, stat) -> {
          if (code == Code.NONODE) {
            create();
            return;
          }
          base = number(found);
          baseVersion = stat.getVersion();
          get(
              "tail",
              this::tailChanged,
              (result, end, ofTail) -> {
                if (result == Code.NONODE) {
                  lost("it has no tail; it was removed or is incomplete");
                  return;
                }
                tail = number(end);
                advance();
              });
        });
  }

  private void tailChanged(WatchedEvent event) {
    if (event.getType() != Watcher.Event.EventType.None) {
      loop.execute(this::read);
    }
  }

  /** Reads the next block, or ends the reading if there is none. */
  private void advance() {
    if (next > tail) {
      lost("it ends before entry %d, but entry %d was in it".formatted(tail, next - 1));
    } else if (next <= base) {
      trimmedAway();
    } else if (next == tail) {
      reading = false;
      if (changed) {
        read();
      } else {
        send();
        trim();
      }
    } else {
      long wanted = next;
      get(
          path(wanted),
          null,
          (code, found, stat) -> {
            if (wanted < next) { // the response to its append came first
              advance();
            } else if (code == Code.NONODE) {
              missing(wanted);
            } else {
              report(wanted, LogBlock.read(found));
              advance();
            }
          });
    }
  }

  /** Finds out why no block begins with an entry: it was trimmed, or is inside of a block. */
  private void missing(long number) {
    get(
        "base",
        null,
        (code, found, stat) -> {
          if (code == Code.OK) {
            base = number(found);
          }
          if (number <= base) {
            trimmedAway();
          } else {
            readInside(number);
          }
        });
  }

  /** Reads the block that contains an entry but does not begin with it. */
  private void readInside(long number) {
    int of = session;
    requireClient()
        .getChildren(
            root + "/log",
            false,
            (code, path, context, names) ->
                onLoop(
                    of,
                    () -> {
                      if (Code.get(code) == Code.OK) {
                        readBefore(number, new TreeSet<>(names));
                      } else {
                        failed(Code.get(code));
                      }
                    }),
            null);
  }

  private void readBefore(long number, NavigableSet<String> names) {
    var name = names.lower(name(number));
    if (name == null) {
      lost(missingEntry(number));
      return;
    }
    long first = Long.parseLong(name);
    get(
        path(first),
        null,
        (code, found, stat) -> {
          var block = code == Code.NONODE ? null : LogBlock.read(found);
          if (block == null || first + block.entries().size() <= number) {
            lost(missingEntry(number));
          } else {
            report(first, block);
            advance();
          }
        });
  }

  private static String missingEntry(long number) {
    return "entry %d is missing, but the log continues behind it".formatted(number);
  }

  /** Reports the entries of a block from the next one on. */
  private void report(long begin, LogBlock block) {
    long first = next;
    var entries = block.entries().subList(Math.toIntExact(first - begin), block.entries().size());
    next += entries.size();
    var append = pending;
    boolean ours = append != null && append.block().id().equals(block.id());
    if (follower != null) {
      follower.committed(first, entries, ours);
    }
    if (append != null && next > append.first()) {
      pending = null;
      if (ours) {
        append.receipt().appended();
      } else {
        append.receipt().taken();
      }
    }
  }

  /** Sends the pending append, unless the log is being read or the append is in progress. */
  private void send() {
    var append = pending;
    if (append == null || reading || sent || over || client == null) {
      return;
    }
    if (append.first() != next) {
      pending = null;
      append.receipt().taken();
      return;
    }
    sent = true;
    var operations =
        List.of(
            Op.check(root + "/base", baseVersion),
            Op.create(
                root + "/" + path(append.first()),
                append.block().bytes(),
                clients.access(),
                CreateMode.PERSISTENT),
            Op.setData(root + "/tail", text(append.end()), -1));
    int of = session;
    requireClient()
        .multi(
            operations,
            (code, path, context, results) -> onLoop(of, () -> sent(append, Code.get(code))),
            null);
  }

  private void sent(Append append, Code code) {
    sent = false;
    boolean waits = pending != null && pending.block().id().equals(append.block().id());
    if (code == Code.OK && waits) {
      tail = Math.max(tail, append.end());
      report(append.first(), append.block());
    } else if (code == Code.OK || isRefused(code)) {
      read();
    } else {
      again(code, this::read);
    }
  }

  /** Whether the result is that nothing was written because something else was. */
  private static boolean isRefused(Code code) {
    return code == Code.NODEEXISTS || code == Code.BADVERSION || code == Code.NONODE;
  }

  private void trim() {
    if (trimming || reading || over || client == null || trimmable <= base || trimmable >= next) {
      return;
    }
    trimming = true;
    long last = trimmable;
    int of = session;
    requireClient()
        .setData(
            root + "/base",
            text(last),
            baseVersion,
            (code, path, context, stat) -> onLoop(of, () -> trimmed(Code.get(code), last, stat)),
            null);
  }

  private void trimmed(Code code, long last, @Nullable Stat stat) {
    if (code == Code.OK && stat != null) {
      base = last;
      baseVersion = stat.getVersion();
      remove(last);
    } else {
      trimming = false;
      again(code, this::read);
    }
  }

  /** Removes all blocks whose entries may be removed. */
  private void remove(long last) {
    int of = session;
    requireClient()
        .getChildren(
            root + "/log",
            false,
            (code, path, context, names) ->
                onLoop(
                    of,
                    () -> {
                      trimming = false;
                      if (Code.get(code) == Code.OK) {
                        removable(names, last).forEach(this::delete);
                      }
                    }),
            null);
  }

  /** The names of blocks that another block follows whose first entry stays or is the next one. */
  static List<String> removable(List<String> names, long last) {
    var sorted = new TreeSet<>(names);
    var removable = new ArrayList<String>();
    for (var name : sorted) {
      var following = sorted.higher(name);
      if (following != null && Long.parseLong(following) <= last + 1) {
        removable.add(name);
      }
    }
    return removable;
  }

  private void delete(String name) {
    requireClient().delete(root + "/log/" + name, -1, (code, path, context) -> {}, null);
  }

  /** Creates the log. Other processes may do so at the same time. */
  private void create() {
    if (next > 1 && !recovers) {
      lost("it does not exist, but entry %d was in it".formatted(next - 1));
      return;
    }
    create(root, this::createNodes);
  }

  /** Creates a node without data unless it exists, and its parents before it. */
  private void create(String path, Runnable then) {
    int slash = path.lastIndexOf('/');
    if (slash < 0 || path.length() == 1) {
      then.run();
      return;
    }
    int of = session;
    create(
        path.substring(0, slash),
        () ->
            requireClient()
                .create(
                    path,
                    new byte[0],
                    clients.access(),
                    CreateMode.PERSISTENT,
                    (code, name, context, made) -> onLoop(of, () -> created(Code.get(code), then)),
                    null));
  }

  private void created(Code code, Runnable then) {
    if (code == Code.OK || code == Code.NODEEXISTS) {
      then.run();
    } else {
      failed(code);
    }
  }

  private void createNodes() {
    var operations =
        List.of(
            node(root + "/log", new byte[0]),
            node(root + "/base", text(next - 1)),
            node(root + "/tail", text(next)));
    int of = session;
    requireClient()
        .multi(
            operations,
            (code, path, context, results) ->
                onLoop(of, () -> created(Code.get(code), () -> failed(Code.CONNECTIONLOSS))),
            null);
  }

  /** Ends the reading, and begins it again later if that may help. */
  private void failed(Code code) {
    reading = false;
    again(code, this::read);
  }

  private Op node(String path, byte[] data) {
    return Op.create(path, data, clients.access(), CreateMode.PERSISTENT);
  }

  /** Reads a node. The response is received on the loop if it is OK or says that there is none. */
  private void get(String name, @Nullable Watcher watcher, Response response) {
    int of = session;
    AsyncCallback.DataCallback callback =
        (code, path, context, data, stat) ->
            onLoop(of, () -> received(Code.get(code), data, stat, response));
    requireClient().getData(root + "/" + name, watcher, callback, null);
  }

  private void received(Code code, byte[] data, Stat stat, Response response) {
    if (code != Code.OK && code != Code.NONODE) {
      failed(code);
      return;
    }
    try {
      response.received(code, data, stat);
    } catch (IllegalArgumentException damaged) {
      lost("entry %d cannot be read: %s".formatted(next, damaged.getMessage()));
    }
  }

  /** Repeats something after a failure that another attempt may not have. */
  private void again(Code code, Runnable task) {
    switch (code) {
      case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONMOVED, BADVERSION, THROTTLEDOP ->
          loop.after(RETRY, task);
      case SESSIONEXPIRED -> {} // connectionChanged() connects again
      default -> lost("ZooKeeper refuses access: " + code);
    }
  }

  /** Runs a task on the loop, unless the client is not used any more. */
  private void onLoop(int of, Runnable task) {
    loop.execute(
        () -> {
          if (of == session && !over) {
            task.run();
          }
        });
  }

  private ZooKeeper requireClient() {
    if (client == null) {
      throw new IllegalStateException("not connected");
    }
    return client;
  }

  private static String path(long first) {
    return "log/" + name(first);
  }

  private static String name(long first) {
    return "%019d".formatted(first);
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static long number(byte[] text) {
    return Long.parseLong(new String(text, java.nio.charset.StandardCharsets.US_ASCII));
  }
}
