package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.controllers.deployment.ReleaseSite.spec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.State;
import verwalter.model.Reason;
import verwalter.model.Resource;

/**
 * Random refs, faults, collections, comparisons and crashes between steps. {@link
 * ReleaseInvariants} hold after every step; when the faults stop, every ref is prepared and nothing
 * else is on the disk.
 */
class DeploymentPropertyTest {
  private static final int ARCHIVES = 4;

  /** One run. */
  private static final class Run {
    private final ReleaseSite site;
    private final SplittableRandom random;
    private final List<String> names = new ArrayList<>();
    private int versions;

    Run(long seed) {
      site = new ReleaseSite(seed);
      random = new SplittableRandom(seed);
      site.schedule();
      for (int i = 0; i < ARCHIVES; i++) {
        site.disk.serve(url(i), digest(i), 5 + 10L * i);
      }
    }

    private static String url(int archive) {
      return "https://files/" + archive;
    }

    private static String digest(int archive) {
      return "sha256:" + String.valueOf(archive).repeat(64);
    }

    void act() {
      int archive = random.nextInt(ARCHIVES);
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> add(archive);
        case 3, 4 -> anyRef().ifPresent(site::delete);
        case 5 -> anyRef().ifPresent(site::unpack);
        case 6 -> site.disk.fail(url(archive), Reason.NOT_FOUND, 1 + random.nextInt(3));
        case 7 -> site.disk.corrupt(url(archive), 1 + random.nextInt(7));
        case 8 -> site.disk.capacity = site.disk.used() + random.nextInt(30);
        case 9 -> site.disk.failingRemovals = random.nextInt(3);
        case 10 -> site.disk.silent = random.nextBoolean();
        case 11 -> site.crash();
        case 12 -> compare();
        default -> collect();
      }
    }

    /** An archive that nobody needs is old, and is soon collected. */
    private void collect() {
      site.disk.archives.putIfAbsent(digest(ARCHIVES), 1L);
      site.disk.named.putIfAbsent(digest(ARCHIVES), site.world.now());
      site.disk.age(FakeReleaseFiles.OLD);
      site.world.runFor(Duration.ofMinutes(random.nextInt(90)));
    }

    private void compare() {
      anyRef()
          .ifPresent(
              name -> site.verify(name, 1 + site.ref(name).spec().verifyCounter().orElse(0L)));
    }

    private void add(int archive) {
      var digest = random.nextInt(3) == 0 ? Optional.<String>empty() : Optional.of(digest(archive));
      var whole = spec("role" + random.nextInt(3), "v" + versions++ % 4, url(archive), digest);
      var spec =
          new DeploymentRef.Spec(
              whole.role(),
              whole.node(),
              whole.version(),
              whole.slot(),
              whole.generation(),
              whole.localGeneration(),
              whole.source(),
              whole.digest(),
              random.nextBoolean());
      var name = DeploymentRef.name(spec);
      if (!site.exists(name)) {
        site.add(spec);
        names.add(name);
      }
    }

    /** A ref that is not deleted. */
    private Optional<String> anyRef() {
      var all = names.stream().filter(site::exists).filter(it -> !isDeleting(it)).toList();
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private boolean isDeleting(String name) {
      return site.ref(name).meta().deleting();
    }

    void pause() {
      site.world.runFor(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 20_000 : 700)));
    }

    /** Ends all faults, and renews the specs of refs that have given up. */
    void heal() {
      site.disk.heal();
      site.crash();
      site.world.runFor(Duration.ofMinutes(30));
      for (var ref : site.store.list(DeploymentRef.KIND)) {
        if (ref.status().filter(it -> it.state() == State.VERIFYING).isPresent()) {
          site.respecify(ref.name(), elsewhere(ref));
        }
      }
      site.world.runFor(Duration.ofHours(1));
    }

    /** The ref with a source that has the bytes which its own once had. */
    private DeploymentRef.Spec elsewhere(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
      var spec = ref.spec();
      var digest = ref.status().flatMap(DeploymentRef.Status::resolvedDigest).orElseThrow();
      var source = "https://mirror/" + digest;
      site.disk.serve(source, digest, 5 + 10L * Character.digit(digest.charAt(7), 10));
      return new DeploymentRef.Spec(
          spec.role(),
          spec.node(),
          spec.version(),
          spec.slot(),
          spec.generation(),
          spec.localGeneration(),
          source,
          spec.digest(),
          spec.verifyOnly(),
          spec.verifyCounter());
    }

    void assertDone() {
      var created = new TreeSet<String>();
      var digests = new TreeSet<String>();
      for (var ref : site.store.list(DeploymentRef.KIND)) {
        var status = ref.status().orElseThrow();
        assertThat(ref.meta().deleting()).as("%s", ref).isFalse();
        if (status.state() == State.CREATED) {
          assertThat(status.verifyCounter()).as("%s", ref).isEqualTo(ref.spec().verifyCounter());
        }
        assertThat(status.state())
            .as("%s", ref)
            .isIn(
                ref.spec().verifyOnly()
                    ? List.of(State.VERIFIED, State.CREATED)
                    : List.of(State.CREATED));
        digests.add(status.resolvedDigest().orElseThrow());
        if (status.state() == State.CREATED) {
          created.add(DeploymentRef.key(ref.spec()));
        }
      }
      assertThat(site.disk.releases.keySet()).isEqualTo(created);
      assertThat(site.disk.archives.keySet()).containsAll(digests);
      assertThat(site.disk.half).isEmpty();
      assertThat(site.disk.running).isEmpty();
      for (var artifact : site.store.list(Artifact.KIND)) {
        var digest = artifact.spec().digest();
        var users =
            site.store.list(DeploymentRef.KIND).stream()
                .filter(
                    it -> it.status().orElseThrow().resolvedDigest().orElseThrow().equals(digest))
                .map(Resource::name)
                .sorted()
                .toList();
        assertThat(artifact.status().orElseThrow().users()).as("I8").isEqualTo(users).isNotEmpty();
        assertThat(artifact.status().orElseThrow().state()).isEqualTo(Artifact.State.VERIFIED);
      }
      assertThat(site.store.list(Artifact.KIND)).hasSize(digests.size());
    }
  }

  @Property(tries = 150)
  void whateverFailsEveryRefIsPreparedInTheEnd(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long seed) {
    var run = new Run(seed);
    for (int i = 0; i < 40; i++) {
      run.act();
      run.pause();
    }
    run.heal();
    run.assertDone();
  }
}
