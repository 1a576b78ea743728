package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.certificates.TestAuthority.CHANCE;
import static verwalter.certificates.TestAuthority.CLUSTER;
import static verwalter.certificates.TestAuthority.NOW;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import verwalter.certificates.AuthorityRotation.Phase;
import verwalter.certificates.AuthorityRotation.Progress;
import verwalter.certificates.AuthorityRotation.Task;

/** Rotations in a cluster whose nodes crash at each of their writes. */
class AuthorityRotationTest {
  private static final int MOST_STEPS = 1000;

  /** Files that crash after a number of writes, and that tell of each write. */
  private static final class CrashingFiles extends TestAuthority.MemoryFiles {
    private final Rotating cluster;

    CrashingFiles(Rotating cluster) {
      this.cluster = cluster;
    }

    @Override
    public void write(String name, String content) throws IOException {
      cluster.step();
      super.write(name, content);
      cluster.written();
    }

    @Override
    public void delete(String name) throws IOException {
      cluster.step();
      super.delete(name);
      cluster.written();
    }
  }

  /** A crash before a write. */
  private static final class Crash extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** A cluster of two electors and two other nodes. */
  private static final class Rotating {
    private final TestAuthority first = new TestAuthority();
    private final List<TestAuthority.MemoryFiles> files = new ArrayList<>();
    private final List<Pki> processes = new ArrayList<>();
    private final Random random;
    private int left = Integer.MAX_VALUE;
    private AuthorityRotation rotation;
    private int writes;

    Rotating(long seed) throws Exception {
      random = new Random(seed);
      for (int i = 0; i < 4; i++) {
        files.add(new CrashingFiles(this));
        processes.add(new Pki(files.get(i)));
      }
      for (int i = 0; i < 4; i++) {
        var pki = pki(i);
        files.get(i).contents.put(Pki.TRUST, first.trust().pem());
        files.get(i).contents.put(Pki.NODE, first.node("n" + i).pem());
        if (elector(i)) {
          files.get(i).contents.put(Pki.AUTHORITY, first.credential.pem());
        }
        assertThat(pki.node()).isNotNull();
      }
      var next = CertificateAuthority.create(CLUSTER, NOW, CHANCE);
      files.get(0).contents.put(Pki.NEXT_AUTHORITY, next.pem());
      rotation =
          new AuthorityRotation(
              Phase.DISTRIBUTE, first.credential.certificate(), next.certificate());
    }

    private static boolean elector(int node) {
      return node < 2;
    }

    private Pki pki(int node) {
      return processes.get(node);
    }

    /** A new process knows only its files. */
    private void restart(int node) {
      processes.set(node, new Pki(files.get(node)));
    }

    void step() throws Crash {
      if (left-- == 0) {
        throw new Crash();
      }
      writes++;
    }

    /** Every two nodes accept each other at any time. */
    void written() throws IOException {
      for (int i = 0; i < files.size(); i++) {
        for (int j = 0; j < files.size(); j++) {
          try {
            pki(i).trust().verify(pki(j).node().certificate(), NOW);
          } catch (CertificateException e) {
            throw new AssertionError(
                "in phase %s n%d does not accept n%d".formatted(rotation.phase(), i, j), e);
          }
        }
      }
    }

    private Progress progress(int node) throws IOException {
      return pki(node).progress("n" + node, elector(node));
    }

    private List<Progress> all() throws IOException {
      var all = new ArrayList<Progress>();
      for (int i = 0; i < files.size(); i++) {
        all.add(progress(i));
      }
      return all;
    }

    /** Lets random nodes do their tasks, until the rotation is done. Returns the crashes. */
    int run() throws Exception {
      int crashes = 0;
      for (int i = 0; i < MOST_STEPS && rotation.phase() != Phase.DONE; i++) {
        int node = random.nextInt(files.size());
        try {
          var task = rotation.task(progress(node));
          if (task.isPresent()) {
            perform(task.get(), node);
          }
        } catch (Crash crash) {
          crashes++;
          restart(node);
        }
        rotation = rotation.advanced(all());
      }
      assertThat(rotation.phase()).isEqualTo(Phase.DONE);
      return crashes;
    }

    private void perform(Task task, int node) throws Exception {
      var pki = pki(node);
      switch (task) {
        case TRUST -> pki.installTrust(rotation.trust());
        case PROMOTE -> pki.promoteAuthority();
        case FETCH_KEY -> {
          for (int i = 0; i < 2; i++) {
            var from = pki(i).nextAuthority();
            if (from.isPresent()) {
              pki.installNextAuthority(from.get());
              return;
            }
          }
        }
        case RENEW -> {
          // Any elector answers, also one that has not promoted the new authority yet.
          var issuer = pki(random.nextInt(2)).authority().orElseThrow();
          var keys = CertifiedKey.newKeys(CHANCE);
          var issued =
              new CertificateAuthority(CLUSTER, issuer, CHANCE)
                  .node(
                      keys.getPublic(),
                      "n" + node,
                      elector(node),
                      Optional.empty(),
                      List.of(),
                      NOW);
          pki.installNode(
              new CertifiedKey(keys.getPrivate(), List.of(issued, issuer.certificate())));
        }
      }
    }
  }

  @Test
  void keepsEveryNodeConnectedWhileItRuns() throws Exception {
    for (int seed = 0; seed < 4; seed++) {
      var cluster = new Rotating(seed);
      cluster.run();

      for (int i = 0; i < 4; i++) {
        var pki = cluster.pki(i);
        assertThat(pki.trust().authorities()).containsExactly(cluster.rotation.next());
        assertThat(pki.authority().map(CertifiedKey::certificate).stream())
            .allMatch(cluster.rotation.next()::equals);
        assertThat(pki.authority().isPresent()).isEqualTo(i < 2);
        assertThat(pki.nextAuthority()).isEmpty();
      }
    }
  }

  @Test
  void goesOnAfterACrashAtEachWrite() throws Exception {
    var undisturbed = new Rotating(7);
    undisturbed.run();
    for (int at = 0; at < undisturbed.writes; at++) {
      var cluster = new Rotating(7);
      cluster.left = at;

      assertThat(cluster.run()).isEqualTo(1);
      assertThat(cluster.pki(3).trust().authorities()).containsExactly(cluster.rotation.next());
    }
  }

  @Test
  void waitsForEachMember() throws Exception {
    var cluster = new Rotating(1);
    for (int i = 0; i < 3; i++) {
      for (var task = cluster.rotation.task(cluster.progress(i));
          task.isPresent();
          task = cluster.rotation.task(cluster.progress(i))) {
        cluster.perform(task.get(), i);
      }
    }

    assertThat(cluster.rotation.waitingFor(cluster.all())).containsExactly("n3");
    assertThat(cluster.rotation.advanced(cluster.all())).isEqualTo(cluster.rotation);
  }
}
