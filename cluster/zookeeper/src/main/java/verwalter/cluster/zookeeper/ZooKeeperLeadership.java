package verwalter.cluster.zookeeper;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
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
  private final TermReports seen;

  private @Nullable EnsembleSession session;

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
    this.seen = new TermReports(loop);
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
    return seen.present();
  }

  @Override
  public Watch watch(Loop on, Listener listener) {
    return seen.watch(on, listener);
  }

  // ---- the connection

  /** Connects as soon as the servers can answer. */
  private void connect() {
    clients.serving().execute(() -> loop.execute(this::open));
  }

  private void open() {
    if (over || session != null) {
      return;
    }
    try {
      looking = false;
      claim = null; // what an earlier session has created is not held by this one
      cancel(claimed);
      claimed = null;
      session = EnsembleSession.open(clients, loop, this::replace);
      look();
      register();
    } catch (IOException failure) {
      LOG.warn("leadership={} cannot connect: {}", this, failure.getMessage());
      loop.after(EnsembleSession.RETRY, this::connect);
    }
  }

  private void replace(String why) {
    LOG.info("leadership={} {}; connecting again", this, why);
    session = null;
    lose(why);
    seen.change(Optional.empty());
    connect();
  }

  private EnsembleSession session() {
    if (session == null) {
      throw new IllegalStateException("not connected");
    }
    return session;
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
    // Another server may know less than this node has seen.
    session().sync(root, this::synced);
  }

  private void synced(Code result) {
    if (result == Code.OK) {
      session().exists(path("leader"), this::look, this::leaderIs);
    } else {
      repeat(result);
    }
  }

  private void repeat(Code failure) {
    looking = false;
    session().again(failure, this::look);
  }

  private void leaderIs(Code result) {
    if (result == Code.NONODE) {
      absent();
    } else if (result == Code.OK) {
      session().read(path("leader"), (read, data, stat) -> leaderRead(read, data));
    } else {
      repeat(result);
    }
  }

  private void leaderRead(Code result, byte[] data) {
    if (result == Code.NONODE) {
      absent();
    } else if (result == Code.OK) {
      looking = false;
      var node = LeaderNode.read(data);
      if (node.isEmpty()) {
        LOG.error("leadership={} the node of the leader cannot be read", this);
        seen.change(Optional.empty());
      } else if (node.get().term().leader().equals(machine)) {
        own(node.get());
      } else {
        lose("another node leads");
        other(node.get().term());
      }
      lookAgain();
    } else {
      repeat(result);
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
      seen.change(Optional.of(term));
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
    seen.change(Optional.empty());
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
    session()
        .children(
            path("candidates"),
            (result, names) -> {
              if (result == Code.OK && names.stream().allMatch(machine::equals) && maySucceed()) {
                readEpoch();
              }
            });
  }

  // ---- becoming the leader

  private void readEpoch() {
    session().read(path("epoch"), this::epochRead);
  }

  private void epochRead(Code result, byte[] data, Stat stat) {
    if (result == Code.NONODE) {
      session().createWithParents(path("epoch"), "0".getBytes(StandardCharsets.UTF_8), this::look);
    } else if (result != Code.OK) {
      session().again(result, this::look);
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
    session().transaction(operations, result -> claimed(result, node));
  }

  private void claimed(Code result, LeaderNode node) {
    if (result == Code.OK && node.equals(claim) && lease == null) {
      elected();
    }
    if (result == Code.OK || result == Code.NODEEXISTS || result == Code.BADVERSION) {
      look(); // also sets the watch
    } else {
      session().again(result, this::look);
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
    seen.change(Optional.of(term));
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
    session()
        .sync(
            path("leader"),
            result -> {
              if (result == Code.OK && lease == of) {
                cancel(of.end);
                of.end = end;
              } else {
                end.cancel();
              }
            });
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
            if (session != null) {
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
    seen.change(Optional.empty());
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
    if (over || session == null) {
      return;
    }
    session()
        .read(
            path("leader"),
            (result, data, stat) -> {
              boolean own =
                  result == Code.OK
                      && LeaderNode.read(data)
                          .filter(node -> node.term().leader().equals(machine))
                          .isPresent();
              if (own && lease == null && claim == null) {
                delete(stat.getVersion());
              } else {
                look();
              }
            });
  }

  private void delete(int version) {
    session()
        .delete(
            path("leader"),
            version,
            result -> {
              if (result == Code.OK || result == Code.NONODE) {
                look();
              } else {
                session().again(result, this::look);
              }
            });
  }

  // ---- candidates

  @Override
  public Candidacy stand(Loop on, Candidate candidate) {
    var next = new Standing(loop, on, candidate);
    loop.execute(
        () -> {
          standing = next;
          if (session != null) {
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
      var stopped = lease == null ? which.stopped() : end();
      standing = null;
      if (session != null && !over) {
        session().delete(path("candidates/" + machine), -1, any -> {});
      }
      if (claim != null && !stopping) {
        release();
      }
      return stopped;
    }
    return which.stopped();
  }

  /** Tells the other nodes that this one is a candidate. */
  private void register() {
    if (standing != null && !over) {
      var own = path("candidates/" + machine);
      session()
          .createWithParents(
              path("candidates"),
              new byte[0],
              () ->
                  session()
                      .create(
                          own,
                          new byte[0],
                          CreateMode.EPHEMERAL,
                          result -> {
                            if (result == Code.CONNECTIONLOSS) {
                              session().again(result, this::register);
                            }
                          }));
    }
  }

  /** For tests: whether this node refrains from leading, while it stays a candidate. */
  void suspend(boolean now) {
    loop.execute(
        () -> {
          suspended = now;
          if (now) {
            end();
          } else if (session != null) {
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
            if (session != null) {
              session.close();
            }
          }
        });
  }

  @Override
  public String toString() {
    return clients + root;
  }
}
