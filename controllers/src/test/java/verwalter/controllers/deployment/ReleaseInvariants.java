package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.State;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/** What holds after every step, and what each ref went through. */
final class ReleaseInvariants {
  private final ObjectStore store;
  private final FakeDisk disk;
  private final int downloads;
  private final Map<String, DeploymentRef.Status> last = new HashMap<>();
  private final Map<String, DeploymentRef.Spec> specs = new HashMap<>();
  private final Map<String, List<State>> states = new HashMap<>();
  private boolean orphans;
  private int looked;

  ReleaseInvariants(ObjectStore store, FakeDisk disk, int downloads) {
    this.store = store;
    this.disk = disk;
    this.downloads = downloads;
  }

  /** The states of a ref without repetitions. */
  List<State> states(String uid) {
    return List.copyOf(states.getOrDefault(uid, List.of()));
  }

  /** From now on, a ref may vanish while its release stays. */
  void allowOrphans() {
    orphans = true;
  }

  void check() {
    assertThat(disk.running).as("I1: works that run").doesNotHaveDuplicates();
    assertThat(disk.running.stream().filter(it -> it.startsWith("fetch ")).count())
        .as("downloads")
        .isLessThanOrEqualTo(downloads);
    for (var key : orphans ? Set.<String>of() : disk.releases.keySet()) {
      assertThat(store.get(DeploymentRef.KIND, key + "@" + ReleaseSite.NODE))
          .as("I25: the ref of %s", key)
          .isPresent();
    }
    store.list(DeploymentRef.KIND).forEach(this::check);
    for (; looked < disk.history.size(); looked++) {
      collected(disk.history.get(looked));
    }
  }

  /** What was collected is not what a ref has seen on the disk. */
  private void collected(String work) {
    if (!work.startsWith("collect ")) {
      return;
    }
    var item = work.substring("collect ".length());
    for (var ref : store.list(DeploymentRef.KIND)) {
      var status = ref.status().orElse(DeploymentRef.Status.INITIAL);
      boolean isUsed =
          (status.state() == State.CREATED && DeploymentRef.key(ref.spec()).equals(item))
              || (status.state().atLeast(State.VERIFIED)
                  && status.resolvedDigest().equals(Optional.of(item)));
      assertThat(isUsed).as("I22: %s is collected, and used by %s", item, ref).isFalse();
    }
  }

  private void check(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    var uid = ref.meta().uid();
    var now = ref.status().orElse(DeploymentRef.Status.INITIAL);
    var seen = states.computeIfAbsent(uid, it -> new ArrayList<>());
    if (seen.isEmpty() || seen.get(seen.size() - 1) != now.state()) {
      seen.add(now.state());
    }
    var formerSpec = Optional.ofNullable(specs.put(uid, ref.spec()));
    assertThat(formerSpec.filter(it -> !it.verifyOnly() && ref.spec().verifyOnly()))
        .as("I6: verifyOnly of %s", ref.name())
        .isEmpty();
    if (now.state().compareTo(State.RESOLVED) > 0 && now.resolvedDigest().isPresent()) {
      var artifact = Artifact.name(now.resolvedDigest().get(), ref.spec().node());
      assertThat(store.get(Artifact.KIND, artifact))
          .as("I8: the artifact of %s", ref.name())
          .isPresent();
    }
    var former = Optional.ofNullable(last.put(uid, now));
    former.ifPresent(before -> compare(ref.name(), before, now));
  }

  private static void compare(String name, DeploymentRef.Status before, DeploymentRef.Status now) {
    if (before.resolvedDigest().isPresent()) {
      assertThat(now.resolvedDigest()).as("I18: %s", name).isEqualTo(before.resolvedDigest());
    }
    assertThat(now.observedGeneration())
        .as("I20: %s", name)
        .isGreaterThanOrEqualTo(before.observedGeneration());
    var first = failure(before);
    var second = failure(now);
    boolean sameStep = before.state() == now.state() && before.state() != State.INITIAL;
    if (first.isPresent()
        && second.isPresent()
        && sameStep
        && now.nextRetry().isPresent()
        && !second.get().hasReason(Reason.NO_SPACE)) {
      assertThat(second.get().message()).as("I19: %s", name).isEqualTo(first.get().message());
    }
    boolean clears = first.isPresent() && second.isEmpty() && sameStep;
    assertThat(clears && now.observedGeneration() == before.observedGeneration())
        .as("I19: the error of %s is cleared without success: %s %s", name, before, now)
        .isFalse();
  }

  private static Optional<Condition> failure(DeploymentRef.Status status) {
    return status.conditions().stream()
        .filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING))
        .findFirst();
  }
}
