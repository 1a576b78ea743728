package verwalter.cluster.zookeeper;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
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
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.TimedExecutor.Timer;
import verwalter.concurrent.Watch;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * The leadership in ZooKeeper. Below the root there are
 *
 * <ul>
 *   <li>{@code leader}, an ephemeral {@linkplain LeaderNode node} of the session of the leader;
 *   <li>{@code epoch}, the epoch of the last term, which is changed in the transaction that creates
 *       {@code leader};
 *   <li>{@code candidates/MACHINE}, an ephemeral node for each candidate.
 * </ul>
 *
 * A leader renews its lease by requests that the leader of the ensemble answers. It stops if none
 * that was sent in the last seven eighths of the session, less {@link #STOP_LIMIT}, was answered.
 * The last eighth covers the time that a member needs to pass a renewal on, and the drift of the
 * clocks. A node that has lost leadership this way waits before it leads again if there are other
 * candidates.
 *
 * <p>All state belongs to the loop. Thread-safe.
 */
public final class ZooKeeperLeadership implements Leadership, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLeadership.class);

  /** The time before a request is repeated that failed because there was no connection. */
  private static final Duration RETRY = Duration.ofMillis(100);

  /** The longest time for which a node does not stand after it has lost leadership. */
  private static final Duration LONGEST_HOLD = Duration.ofSeconds(30);

  /** How long a node must lead for earlier losses to be forgotten. */
  private static final Duration STEADY = Duration.ofMinutes(2);

  private final ZooKeeperClients clients;
  private final String root;
  private final String machine;
  private final long floor;
  private final TimedExecutor loop;
  private final Supplier<UUID> ids;
  private final Backoff holds;
  private final List<Listening> listeners = new ArrayList<>();

  private volatile Optional<Term> seen = Optional.empty();

  private @Nullable ZooKeeper client;

  /** Counts the clients, so that responses to earlier ones are ignored. */
  private int session;

  private boolean looking;
  private boolean changed;
  private long highest;

  /** The last term of another node, unless it is known to have ended. */
  private Optional<Term> present = Optional.empty();

  private @Nullable Standing standing;

  /** What this node has tried to create or has created as leader. */
  private @Nullable LeaderNode claim;

  private @Nullable Timer claimed;
  private @Nullable Lease lease;
  private boolean stopping;
  private boolean held;
  private int losses;
  private boolean suspended;
  private boolean over;

  /** A listener until it is closed. */
  private static final class Listening {
    private final Loop loop;
    private final Listener listener;
    private volatile boolean open = true;

    private Listening(Loop loop, Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    private void report(Optional<Term> term) {
      loop.execute(
          () -> {
            if (open) {
              listener.changed(term);
            }
          });
    }
  }

  /** A timer that began when the last renewal was sent that was answered. */
  private static final class Lease {
    private @Nullable Timer end;
    private @Nullable Timer steady;
  }

  /**
   * Creates the leadership as one node sees it, and connects.
   *
   * @param clients their session is the length of a lease
   * @param root the path below which the nodes lie, such as {@code /verwalter}
   * @param machine id of this node's machine; only one process at a time may use it
   * @param floor all epochs will be larger
   * @param ids supplies unique ids
   */
  public ZooKeeperLeadership(
      ZooKeeperClients clients,
      String root,
      String machine,
      long floor,
      TimedExecutor loop,
      Supplier<UUID> ids) {
    this.clients = clients;
    this.root = root;
    this.machine = machine;
    this.floor = floor;
    this.loop = loop;
    this.ids = ids;
    this.holds = Backoff.exponential(clients.session(), LONGEST_HOLD);
    loop.execute(this::connect);
  }

  private Duration leaseLength() {
    return clients.session().multipliedBy(7).dividedBy(8).minus(STOP_LIMIT);
  }

  private Duration renewal() {
    return clients.session().dividedBy(6);
  }

  @Override
  public Optional<Term> term() {
    return seen;
  }

  @Override
  public Watch watch(Loop on, Listener listener) {
    var listening = new Listening(on, listener);
    loop.execute(
        () -> {
          listeners.add(listening);
          listening.report(seen);
        });
    return () -> {
      listening.open = false;
      loop.execute(() -> listeners.remove(listening));
    };
  }

  private void see(Optional<Term> term) {
    if (!seen.equals(term)) {
      seen = term;
      listeners.forEach(each -> each.report(term));
    }
  }

  // ---- the connection

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
      looking = false;
      claim = null; // what an earlier session has created is not held by this one
      cancel(claimed);
      claimed = null;
      client = clients.connect(event -> connectionChanged(of, event));
      look();
      register();
    } catch (IOException failure) {
      LOG.warn("leadership={} cannot connect: {}", this, failure.getMessage());
      loop.after(RETRY, this::connect);
    }
  }

  /** Receives the changes of the connection, on the thread of the client. */
  private void connectionChanged(int of, WatchedEvent event) {
    switch (event.getState()) {
      case Expired -> onLoop(of, () -> replace("the session has expired"));
      case Disconnected -> onLoop(of, () -> giveUpLater(of, requireClient()));
      default -> {}
    }
  }

  /** Replaces a client that has lost its connection for the length of a session. */
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
    LOG.info("leadership={} {}; connecting again", this, why);
    lose(why);
    see(Optional.empty());
    clients.close(requireClient());
    client = null;
    session++;
    connect();
  }

  private ZooKeeper requireClient() {
    if (client == null) {
      throw new IllegalStateException("not connected");
    }
    return client;
  }

  private void onLoop(int of, Runnable task) {
    loop.execute(
        () -> {
          if (of == session && !over) {
            task.run();
          }
        });
  }

  private void again(Code code, Runnable task) {
    switch (code) {
      case SESSIONEXPIRED, AUTHFAILED -> {} // connectionChanged() connects again
      default -> {
        int of = session;
        loop.after(RETRY, () -> onLoop(of, task));
      }
    }
  }

  private String path(String name) {
    return root + "/" + name;
  }

  // ---- looking for the leader

  /** Reads who leads, and leads if nobody does. */
  private void look() {
    changed = true;
    if (looking || over) {
      return;
    }
    looking = true;
    changed = false;
    int of = session;
    // Another server may know less than this node has seen.
    requireClient().sync(root, (code, path, context) -> onLoop(of, () -> synced(code)), null);
  }

  private void synced(int result) {
    var code = Code.get(result);
    int of = session;
    if (code == Code.OK) {
      requireClient()
          .exists(
              path("leader"),
              event -> onLoop(of, () -> leaderChanged(event)),
              (found, path, context, stat) -> onLoop(of, () -> leaderIs(Code.get(found))),
              null);
    } else {
      repeat(code);
    }
  }

  private void leaderChanged(WatchedEvent event) {
    if (event.getType() != Watcher.Event.EventType.None) {
      look();
    }
  }

  private void repeat(Code code) {
    looking = false;
    again(code, this::look);
  }

  private void leaderIs(Code code) {
    if (code == Code.NONODE) {
      absent();
    } else if (code == Code.OK) {
      int of = session;
      requireClient()
          .getData(
              path("leader"),
              false,
              (read, path, context, data, stat) ->
                  onLoop(of, () -> leaderRead(Code.get(read), data)),
              null);
    } else {
      repeat(code);
    }
  }

  private void leaderRead(Code code, byte[] data) {
    if (code == Code.NONODE) {
      absent();
    } else if (code == Code.OK) {
      looking = false;
      var node = LeaderNode.read(data);
      if (node.isEmpty()) {
        LOG.error("leadership={} the node of the leader cannot be read", this);
        see(Optional.empty());
      } else if (node.get().term().leader().equals(machine)) {
        own(node.get());
      } else {
        lose("another node leads");
        other(node.get().term());
      }
      lookAgain();
    } else {
      repeat(code);
    }
  }

  private void lookAgain() {
    if (changed) {
      look();
    }
  }

  private void other(Term term) {
    claim = null;
    if (term.epoch() > highest || present.filter(term::equals).isPresent()) {
      highest = term.epoch();
      present = Optional.of(term);
      see(Optional.of(term));
    }
  }

  /** Handles a node that this machine has created. */
  private void own(LeaderNode node) {
    if (lease != null && node.equals(claim)) {
      return; // it leads
    }
    if (lease == null && node.equals(claim) && claimed != null && !stopping) {
      elected(); // the response was lost
    } else if (!stopping) {
      release(); // of an earlier session, or the candidate has withdrawn
    }
  }

  private void absent() {
    looking = false;
    present = Optional.empty();
    if (lease != null) {
      lose("the node of the leader was removed");
    }
    see(Optional.empty());
    lookAgain();
    if (looking || !maySucceed()) {
      return;
    }
    if (held) {
      leadUnlessOthersStand();
    } else {
      readEpoch();
    }
  }

  private boolean maySucceed() {
    return standing != null && !suspended && !stopping && lease == null && !over;
  }

  private void leadUnlessOthersStand() {
    int of = session;
    requireClient()
        .getChildren(
            path("candidates"),
            false,
            (code, path, context, names) ->
                onLoop(
                    of,
                    () -> {
                      if (Code.get(code) == Code.OK
                          && names.stream().allMatch(machine::equals)
                          && maySucceed()) {
                        readEpoch();
                      }
                    }),
            null);
  }

  // ---- becoming the leader

  private void readEpoch() {
    int of = session;
    requireClient()
        .getData(
            path("epoch"),
            false,
            (code, path, context, data, stat) ->
                onLoop(of, () -> epochRead(Code.get(code), data, stat)),
            null);
  }

  private void epochRead(Code code, byte[] data, Stat stat) {
    if (code == Code.NONODE) {
      create(path("epoch"), "0".getBytes(StandardCharsets.UTF_8), this::look);
    } else if (code != Code.OK) {
      again(code, this::look);
    } else if (maySucceed()) {
      long last = Long.parseLong(new String(data, StandardCharsets.UTF_8));
      claim(Math.max(Math.max(last, floor), highest) + 1, stat.getVersion());
    }
  }

  private void claim(long epoch, int version) {
    var node = new LeaderNode(new Term(machine, epoch), ids.get().toString());
    var operations =
        List.of(
            Op.setData(
                path("epoch"), Long.toString(epoch).getBytes(StandardCharsets.UTF_8), version),
            Op.create(path("leader"), node.bytes(), clients.access(), CreateMode.EPHEMERAL));
    claim = node;
    claimed = deadline();
    int of = session;
    requireClient()
        .multi(
            operations,
            (code, path, context, results) -> onLoop(of, () -> claimed(Code.get(code), node)),
            null);
  }

  private void claimed(Code code, LeaderNode node) {
    if (code == Code.OK && node.equals(claim) && lease == null) {
      elected();
    }
    if (code == Code.OK || code == Code.NODEEXISTS || code == Code.BADVERSION) {
      look(); // also sets the watch
    } else {
      again(code, this::look);
    }
  }

  /** A timer that ends the lease, which begins now. */
  private Timer deadline() {
    var timer = new Timer[1];
    timer[0] =
        loop.after(
            leaseLength(),
            () -> {
              if (claimed == timer[0]) {
                claimed = null;
                lose("no renewal was answered in time");
              } else if (lease != null && lease.end == timer[0]) {
                lose("no renewal was answered in time");
              }
            });
    return timer[0];
  }

  private void elected() {
    var begun = new Lease();
    begun.end = claimed;
    claimed = null;
    var stands = standing;
    if (claim == null || stands == null || suspended || begun.end == null) {
      release();
      return;
    }
    lease = begun;
    var term = claim.term();
    highest = term.epoch();
    LOG.info("leadership={} this node leads in epoch {}", this, term.epoch());
    see(Optional.of(term));
    stands.lead(term);
    begun.steady =
        loop.after(
            STEADY,
            () -> {
              if (lease == begun) {
                losses = 0;
              }
            });
    renewLater(begun);
  }

  private void renewLater(Lease of) {
    loop.after(
        renewal(),
        () -> {
          if (lease == of && !over) {
            renew(of);
            renewLater(of);
          }
        });
  }

  private void renew(Lease of) {
    var end = deadline();
    int in = session;
    requireClient()
        .sync(
            path("leader"),
            (code, path, context) ->
                onLoop(
                    in,
                    () -> {
                      if (Code.get(code) == Code.OK && lease == of) {
                        cancel(of.end);
                        of.end = end;
                      } else {
                        end.cancel();
                      }
                    }),
            null);
  }

  private static void cancel(@Nullable Timer timer) {
    if (timer != null) {
      timer.cancel();
    }
  }

  // ---- ceasing to lead

  /** Stops leading because of a fault. */
  private void lose(String why) {
    if (lease != null) {
      LOG.warn("leadership={} this node stops leading: {}", this, why);
      losses++;
      held = true;
      loop.after(
          holds.delay(losses),
          () -> {
            held = false;
            if (client != null) {
              look();
            }
          });
      end();
    }
  }

  /** Stops the candidate, and then lets others lead. */
  private Future<Void> end() {
    var ending = lease;
    var stands = standing;
    if (ending == null || stands == null) {
      return Future.succeededFuture();
    }
    cancel(ending.end);
    cancel(ending.steady);
    lease = null;
    stopping = true;
    see(Optional.empty());
    var stopped = stands.stop();
    return stopped.onComplete(
        done -> {
          stopping = false;
          release();
        });
  }

  /** Removes the node with which this machine leads, and looks again. */
  private void release() {
    claim = null;
    claimed = null;
    if (over || client == null) {
      return;
    }
    int of = session;
    requireClient()
        .getData(
            path("leader"),
            false,
            (code, path, context, data, stat) ->
                onLoop(
                    of,
                    () -> {
                      if (Code.get(code) == Code.OK
                          && LeaderNode.read(data)
                              .filter(node -> node.term().leader().equals(machine))
                              .isPresent()
                          && lease == null
                          && claim == null) {
                        delete(stat.getVersion());
                      } else {
                        look();
                      }
                    }),
            null);
  }

  private void delete(int version) {
    int of = session;
    requireClient()
        .delete(
            path("leader"),
            version,
            (code, path, context) ->
                onLoop(
                    of,
                    () -> {
                      if (Code.get(code) == Code.OK || Code.get(code) == Code.NONODE) {
                        look();
                      } else {
                        again(Code.get(code), this::look);
                      }
                    }),
            null);
  }

  // ---- candidates

  @Override
  public Candidacy stand(Loop on, Candidate candidate) {
    var next = new Standing(on, candidate);
    loop.execute(
        () -> {
          standing = next;
          if (client != null) {
            register();
            look();
          }
        });
    return () -> {
      var done = Promise.<Void>promise();
      loop.execute(() -> withdraw(next).onComplete(done));
      return done.future();
    };
  }

  private Future<Void> withdraw(Standing which) {
    if (standing == which) {
      var stopped = lease == null ? which.stopped : end();
      standing = null;
      if (client != null && !over) {
        requireClient()
            .delete(path("candidates/" + machine), -1, (code, path, context) -> {}, null);
      }
      if (claim != null && !stopping) {
        release();
      }
      return stopped;
    }
    return which.stopped;
  }

  /** Tells the other nodes that this one is a candidate. */
  private void register() {
    if (standing != null && !over) {
      int of = session;
      create(
          path("candidates"),
          new byte[0],
          () ->
              requireClient()
                  .create(
                      path("candidates/" + machine),
                      new byte[0],
                      clients.access(),
                      CreateMode.EPHEMERAL,
                      (code, path, context, name) ->
                          onLoop(
                              of,
                              () -> {
                                if (Code.get(code) == Code.CONNECTIONLOSS) {
                                  again(Code.CONNECTIONLOSS, this::register);
                                }
                              }),
                      null));
    }
  }

  /** Creates a node unless it exists, and its parents before it. */
  private void create(String path, byte[] data, Runnable then) {
    int slash = path.lastIndexOf('/');
    Runnable make =
        () -> {
          int of = session;
          requireClient()
              .create(
                  path,
                  data,
                  clients.access(),
                  CreateMode.PERSISTENT,
                  (code, name, context, made) ->
                      onLoop(
                          of,
                          () -> {
                            var result = Code.get(code);
                            if (result == Code.OK || result == Code.NODEEXISTS) {
                              then.run();
                            } else {
                              again(result, () -> create(path, data, then));
                            }
                          }),
                  null);
        };
    if (slash <= 0) {
      make.run();
    } else {
      create(path.substring(0, slash), new byte[0], make);
    }
  }

  /** A candidacy. Belongs to the loop, except where stated. */
  private final class Standing {
    private final Loop on;
    private final Candidate candidate;
    private Future<Void> stopped = Future.succeededFuture();
    private volatile @Nullable Term granted;

    /** Whether the candidate was called to lead. Belongs to its loop. */
    private boolean leads;

    private Standing(Loop on, Candidate candidate) {
      this.on = on;
      this.candidate = candidate;
    }

    private void lead(Term term) {
      granted = term;
      on.execute(
          () -> {
            if (term.equals(granted)) { // it may be over already
              leads = true;
              candidate.lead(term);
            }
          });
    }

    /** Stops it; the future completes on the loop. */
    private Future<Void> stop() {
      granted = null;
      var done = Promise.<Void>promise();
      loop.after(STOP_LIMIT, done::tryComplete);
      on.execute(
          () -> {
            var stopping = leads ? candidate.stop() : Future.<Void>succeededFuture();
            leads = false;
            stopping.onComplete(any -> loop.execute(done::tryComplete));
          });
      stopped = done.future();
      return stopped;
    }
  }

  /** For tests: whether this node refrains from leading, while it stays a candidate. */
  void suspend(boolean now) {
    loop.execute(
        () -> {
          suspended = now;
          if (now) {
            end();
          } else if (client != null) {
            look();
          }
        });
  }

  /**
   * Disconnects. A candidate must have withdrawn; if it leads, others lead when the session has
   * expired.
   */
  @Override
  public void close() {
    loop.execute(
        () -> {
          if (!over) {
            over = true;
            if (client != null) {
              clients.close(client);
            }
          }
        });
  }

  @Override
  public String toString() {
    return clients + root;
  }
}
