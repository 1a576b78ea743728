package verwalter.cluster.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.cluster.testkit.MembershipContract;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;

/** Real groups over TLS. Their views reach the loops of the test when members join or leave. */
class JGroupsMembershipTest extends MembershipContract {
  private static final String CLUSTER = "0123456789abcdef0123456789abcdef";
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final GroupTimes FAST =
      new GroupTimes(Duration.ofMillis(200), Duration.ofMillis(1000), Duration.ofMillis(800));

  @TempDir private Path directory;

  private final Map<String, InetSocketAddress> addresses = new TreeMap<>();
  private final Map<String, JGroupsMembership> members = new TreeMap<>();
  private final LinkedBlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();
  private CertifiedKey authority = CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);

  @AfterEach
  void close() {
    members.values().forEach(JGroupsMembership::close);
  }

  private static InetSocketAddress free() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Backoff retry = failures -> Duration.ofMillis(100);

  private SSLContext tls(String machine) throws IOException {
    var keys = CertifiedKey.newKeys(CHANCE);
    var certificate =
        new CertificateAuthority(CLUSTER, authority, CHANCE)
            .node(
                keys.getPublic(),
                machine,
                true,
                Optional.empty(),
                List.of("127.0.0.1"),
                Instant.now());
    var pki = new Pki(PkiFiles.in(directory.resolve(machine)));
    pki.installTrust(new TrustBundle(List.of(authority.certificate())));
    pki.installNode(
        new CertifiedKey(keys.getPrivate(), List.of(certificate, authority.certificate())));
    return new ClusterTls(pki, CLUSTER, InstantSource.system()).context(Peers.NODES);
  }

  private JGroupsMembership join(String machine, Collection<InetSocketAddress> others) {
    try {
      var membership =
          JGroupsMembership.join(
              CLUSTER,
              machine,
              addresses.get(machine),
              others,
              tls(machine),
              FAST,
              retry,
              Thread::new);
      members.put(machine, membership);
      return membership;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void joinAll(String... machines) {
    for (var machine : machines) {
      addresses.put(machine, free());
    }
    // Machines that join at the same time form groups of their own, which meet later.
    var joined = new TreeSet<String>();
    for (var machine : machines) {
      join(machine, addresses.values());
      joined.add(machine);
      awaitView(joined);
    }
  }

  private boolean agree(Set<String> machines) {
    var views = new ArrayList<View>();
    machines.forEach(machine -> views.add(members.get(machine).view()));
    return views.stream().allMatch(view -> view.members().equals(machines))
        && views.stream().distinct().count() == 1
        && views.get(0).number() > 0;
  }

  /** Waits until all of these machines see each other, and reports the views meanwhile. */
  private void awaitView(Set<String> machines) {
    long end = System.nanoTime() + LIMIT.toNanos();
    do {
      deliver();
      if (System.nanoTime() > end) {
        throw new AssertionError("no common view of " + machines + " within " + LIMIT);
      }
    } while (!agree(machines));
    deliver();
  }

  private void deliver() {
    try {
      var report = reports.poll(10, TimeUnit.MILLISECONDS);
      while (report != null) {
        report.run();
        report = reports.poll();
      }
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Passes tasks to a loop of the test on the thread of the test, which its world belongs to. */
  private final class Delivered implements Loop {
    private final Loop real;
    private final Thread owner = Thread.currentThread();

    Delivered(Loop real) {
      this.real = real;
    }

    @Override
    public Instant now() {
      return real.now();
    }

    @Override
    public void execute(Runnable task) {
      if (Thread.currentThread() == owner) {
        real.execute(task);
      } else {
        reports.add(() -> real.execute(task));
      }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      throw new UnsupportedOperationException("a membership only reports to its loop");
    }

    @Override
    public <V> Future<V> offload(Callable<V> work) {
      throw new UnsupportedOperationException("a membership only reports to its loop");
    }
  }

  private Membership delivered(Membership membership) {
    return new Membership() {
      @Override
      public View view() {
        return membership.view();
      }

      @Override
      public Watch watch(Loop loop, Consumer<View> watcher) {
        return membership.watch(new Delivered(loop), watcher);
      }
    };
  }

  @Override
  protected Trial trial(VirtualWorld world) {
    joinAll("a1", "b2", "c3");
    return new Trial() {
      @Override
      public Membership membership(String machine) {
        return delivered(members.get(machine));
      }

      @Override
      public List<String> machines() {
        return List.of("a1", "b2");
      }

      @Override
      public boolean changes() {
        return true;
      }

      @Override
      public void leave() {
        members.get("c3").close();
        awaitView(Set.of("a1", "b2"));
      }

      @Override
      public void join() {
        JGroupsMembershipTest.this.join("c3", addresses.values());
        awaitView(Set.of("a1", "b2", "c3"));
      }
    };
  }

  @Test
  void doesNotMeetAMachineOfAnotherAuthority() {
    joinAll("a1", "b2");
    var ours = authority;
    authority = CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);
    addresses.put("c3", free());
    var stranger = join("c3", addresses.values());
    authority = ours;
    addresses.put("d4", free());
    join("d4", addresses.values());
    awaitView(Set.of("a1", "b2", "d4"));

    assertThat(stranger.view().members()).containsExactly("c3");
  }

  @Test
  void joinsWhenItsAddressIsFreeAgain() throws Exception {
    joinAll("a1");
    var taken = new CountDownLatch(2);
    retry =
        failures -> {
          taken.countDown();
          return Duration.ofMillis(100);
        };
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      addresses.put(
          "b2", new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort()));
      join("b2", addresses.values());
      assertThat(taken.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(members.get("b2").view().number()).isZero();
    }
    awaitView(Set.of("a1", "b2"));
  }
}
