package verwalter.cluster.jgroups;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.util.ExtendedUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The members of a cluster that reach each other, as a group of JGroups over TCP with mutual TLS.
 * Members are found at addresses that are given; there is no multicast.
 *
 * <p>The views are those of the group. A view contains all machine ids of its members, so two
 * members with one id are one. Views of two sides of a split may have the same number; when the
 * sides meet, the next number is larger than those of both. The coordinator of the group has no
 * meaning here: it may change with each merge, and a node that was paused believes to be it.
 */
public final class JGroupsMembership implements Membership, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JGroupsMembership.class);

  /** The key of the machine id in the address of a member. */
  private static final String MACHINE = "m";

  private static final int CONNECT_MILLIS = 1000;

  /**
   * The limit for a connection, in milliseconds. It is short: while the group connects to nodes on
   * the other side of a split, which do not refuse, messages to those on this side wait.
   */
  private static final int SOCKET_MILLIS = 250;

  private static final int THREADS = 16;
  private static final int FRAGMENT = 60_000;

  private final String machine;
  private final JChannel channel;
  private final List<Watching> watchers = new ArrayList<>();
  private View view;
  private final CountDownLatch closing = new CountDownLatch(1);

  private JGroupsMembership(String machine, JChannel channel) {
    this.machine = machine;
    this.channel = channel;
    this.view = new View(0, new TreeSet<>(Set.of(machine)));
  }

  private static final class Watching implements Watch {
    private final Loop loop;
    private final Consumer<View> watcher;
    private volatile boolean open = true;

    Watching(Loop loop, Consumer<View> watcher) {
      this.loop = loop;
      this.watcher = watcher;
    }

    void report(View view) {
      loop.execute(
          () -> {
            if (open) {
              watcher.accept(view);
            }
          });
    }

    @Override
    public void close() {
      open = false;
    }
  }

  /**
   * Joins the group, on another thread, and tries again if the address is taken. Until then the
   * view contains this machine only and has the number 0.
   *
   * @param cluster id of the cluster
   * @param machine machine id of this node
   * @param own the address to listen at
   * @param others the addresses of the other members that are known
   * @param tls the certificates of this node and the ones it accepts
   * @param retry the delay after a failure
   * @param threads starts the thread that joins; the group has threads of its own
   * @throws IOException if the group cannot be set up
   */
  public static JGroupsMembership join(
      String cluster,
      String machine,
      InetSocketAddress own,
      Collection<InetSocketAddress> others,
      SSLContext tls,
      GroupTimes times,
      Backoff retry,
      ThreadFactory threads)
      throws IOException {
    try {
      var channel = channel(own, others, tls, times);
      channel.name(machine);
      channel.addAddressGenerator(
          () ->
              ExtendedUUID.randomUUID(machine)
                  .put(MACHINE, machine.getBytes(StandardCharsets.US_ASCII)));
      var membership = new JGroupsMembership(machine, channel);
      channel.setReceiver(
          new Receiver() {
            @Override
            public void viewAccepted(org.jgroups.View accepted) {
              membership.become(accepted);
            }
          });
      threads.newThread(() -> membership.connect(cluster, retry)).start();
      return membership;
    } catch (IOException failure) {
      throw failure;
    } catch (Exception failure) { // declared by JGroups
      throw new IOException("cannot set up the group of members: " + failure.getMessage(), failure);
    }
  }

  private static JChannel channel(
      InetSocketAddress own, Collection<InetSocketAddress> others, SSLContext tls, GroupTimes times)
      throws Exception {
    var transport = new TCP();
    transport.setBindAddress(own.getAddress());
    transport.setBindPort(own.getPort());
    transport.setPortRange(0);
    transport.setSockConnTimeout(SOCKET_MILLIS);
    transport.setLinger(-1);
    transport.disableDiagnostics();
    transport.getThreadPool().setMinThreads(0);
    transport.getThreadPool().setMaxThreads(THREADS);
    transport.setSocketFactory(MutualTls.sockets(tls));
    var addresses = new ArrayList<>(others);
    addresses.add(own);
    long merging = times.merging().toMillis();
    return new JChannel(
        transport,
        new TCPPING()
            .<TCPPING>setInitialHosts(addresses)
            .<TCPPING>setPortRange(0)
            .asyncDiscovery(true),
        new MERGE3()
            .setMinInterval(merging / 4)
            .setMaxInterval(merging)
            .setCheckInterval(merging + merging / 4),
        new FD_ALL3()
            .setTimeout(times.silence().toMillis())
            .setInterval(times.heartbeat().toMillis()),
        new VERIFY_SUSPECT2().setTimeout(times.heartbeat().toMillis()),
        new NAKACK2().useMcastXmit(false),
        new UNICAST3(),
        new STABLE(),
        new GMS()
            .setJoinTimeout(2 * times.heartbeat().toMillis())
            .setLeaveTimeout(CONNECT_MILLIS)
            .setMergeTimeout(3L * CONNECT_MILLIS)
            .setViewAckCollectionTimeout(CONNECT_MILLIS),
        new FRAG2().setFragSize(FRAGMENT));
  }

  /** Connects, and tries again after failures. */
  private void connect(String cluster, Backoff retry) {
    var said = "";
    for (int failures = 1; !isClosed(); failures++) {
      try {
        channel.connect(cluster);
        return;
      } catch (Exception failure) { // declared by JGroups
        var why = failure.toString();
        if (!why.equals(said) && !isClosed()) {
          said = why;
          LOG.warn("cannot join the group of members: {}", why);
        }
      }
      if (!pause(retry.delay(failures))) {
        return;
      }
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  /** Waits, and returns whether the group is still to be joined. */
  private boolean pause(Duration delay) {
    try {
      return !closing.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void become(org.jgroups.View accepted) {
    var members = new TreeSet<String>(Set.of(machine));
    accepted.getMembers().forEach(address -> members.add(machine(address)));
    synchronized (watchers) {
      // The first view of a group has the number 0, which is that of the view before the group.
      var next = new View(accepted.getViewId().getId() + 1, members);
      if (!isClosed() && next.number() > view.number()) {
        view = next;
        watchers.removeIf(each -> !each.open);
        watchers.forEach(each -> each.report(next));
      }
    }
  }

  private static String machine(Address address) {
    return address instanceof ExtendedUUID named && named.keyExists(MACHINE)
        ? new String(named.get(MACHINE), StandardCharsets.US_ASCII)
        : address.toString();
  }

  @Override
  public View view() {
    synchronized (watchers) {
      return view;
    }
  }

  @Override
  public Watch watch(Loop loop, Consumer<View> watcher) {
    var watching = new Watching(loop, watcher);
    synchronized (watchers) {
      watchers.add(watching);
      watching.report(view);
    }
    return watching;
  }

  /** Leaves the group. Blocks for a moment. */
  @Override
  public void close() {
    synchronized (watchers) {
      closing.countDown();
      watchers.clear();
    }
    channel.close();
  }
}
