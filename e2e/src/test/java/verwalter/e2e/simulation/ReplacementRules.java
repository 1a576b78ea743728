package verwalter.e2e.simulation;

import static verwalter.e2e.simulation.MachineView.keyOfRef;
import static verwalter.e2e.simulation.ReleaseRules.require;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/** The invariants of instances and of the phases in which they replace their releases. */
final class ReplacementRules {
  private final ReleaseFacts facts;

  /** What each instance has committed to last, by uid. */
  private final Map<String, Optional<String>> committed = new HashMap<>();

  ReplacementRules(ReleaseFacts facts) {
    this.facts = facts;
  }

  /**
   * @param lags whether reads of the store lag behind its writes, so that an instance may not see
   *     what it has just made
   */
  void check(
      Optional<MachineView> before,
      MachineView now,
      Instant time,
      boolean lags,
      List<String> broken) {
    now.instances()
        .forEach(
            (role, instance) -> {
              running(role, now, broken);
              preparing(role, now, broken);
              deletion(role, now, lags, broken);
              var last = before.filter(it -> isSame(it, instance, role));
              last.ifPresent(it -> observed(role, it, now, broken));
              steps(role, last, now, time, broken);
            });
    before.ifPresent(
        it -> {
          created(it, now, broken);
          released(it, now, broken);
          gone(it, now, broken);
        });
  }

  private static boolean isSame(
      MachineView before, Resource<RoleInstance.Spec, RoleInstance.Status> instance, String role) {
    return Optional.ofNullable(before.instances().get(role))
        .filter(it -> it.meta().uid().equals(instance.meta().uid()))
        .isPresent();
  }

  private boolean isComplete(MachineView now, String key) {
    return now.releases().containsKey(key) || facts.hasVanished(key);
  }

  /** I4: an instance that runs uses a complete release. */
  private void running(String role, MachineView now, List<String> broken) {
    boolean runs = now.status(role).filter(it -> it.state() == State.RUNNING).isPresent();
    var used = now.used(role);
    if (!runs || used.isEmpty() || facts.hasVanished(used.get()) || facts.wasLost(role)) {
      return;
    }
    var state =
        Optional.ofNullable(now.refs().get(used.get()))
            .flatMap(Resource::status)
            .map(DeploymentRef.Status::state);
    require(
        state.filter(it -> it == DeploymentRef.State.CREATED).isPresent(),
        broken,
        "I4: %s is RUNNING with %s, which is %s",
        role,
        used.get(),
        state);
  }

  /** I7: while a release is prepared, the old one is complete and held. */
  private void preparing(String role, MachineView now, List<String> broken) {
    var from =
        now.replacement(role)
            .filter(it -> it.phase() == Phase.PREPARE && !it.down())
            .flatMap(Replacement::from)
            .map(MachineView::keyOfRef);
    if (from.isEmpty() || now.isDeleting(role) || facts.wasLost(role)) {
      return;
    }
    var ref = Optional.ofNullable(now.refs().get(from.get()));
    require(
        isComplete(now, from.get()) && ref.filter(it -> !it.meta().deleting()).isPresent(),
        broken,
        "I7: %s prepares another release, and has lost %s",
        role,
        from.get());
  }

  private void steps(
      String role,
      Optional<MachineView> before,
      MachineView now,
      Instant time,
      List<String> broken) {
    var last = before.flatMap(it -> it.replacement(role));
    var next = now.replacement(role);
    if (next.isEmpty() || last.equals(next)) {
      return;
    }
    var step = next.get();
    if (step.back() && last.filter(Replacement::back).isEmpty()) {
      goesBack(role, last, step, now, broken);
      return;
    }
    if (last.isEmpty() || !last.get().to().equals(step.to())) {
      begins(role, step, now, time, broken);
    }
    if (step.phase() == Phase.STOP && last.filter(it -> it.phase() == Phase.STOP).isEmpty()) {
      stops(role, last, step, now, broken);
    }
    if (step.phase() == Phase.SWITCH && last.filter(it -> it.phase() == Phase.SWITCH).isEmpty()) {
      switches(role, last, step, now, broken);
    }
  }

  /** I14: a node goes back only to what it had before, and from a version that has failed. */
  private void goesBack(
      String role,
      Optional<Replacement> last,
      Replacement step,
      MachineView now,
      List<String> broken) {
    var former = last.flatMap(Replacement::former);
    require(
        former.isPresent()
            && step.phase() == Phase.STOP
            && step.to().equals(former.get().release().map(TemplateOutput.UsedRelease::ref))
            && now.status(role).flatMap(RoleInstance.Status::failed).isPresent(),
        broken,
        "I14: %s goes back to %s, and had %s before: %s",
        role,
        step.to(),
        former,
        last);
    step.to()
        .map(MachineView::keyOfRef)
        .ifPresent(
            key ->
                require(
                    isComplete(now, key),
                    broken,
                    "I7t: %s goes back to %s, which is not complete",
                    role,
                    key));
  }

  /** I14: a replacement begins because of a share or of a larger counter. */
  private void begins(
      String role, Replacement step, MachineView now, Instant time, List<String> broken) {
    if (step.to().isEmpty()) {
      require(
          facts.asked(role, time).anyMatch(it -> it.settings().image().isEmpty()),
          broken,
          "I14: %s begins to replace its release by none",
          role);
      return;
    }
    var to = ReleaseName.of(keyOfRef(step.to().get()));
    require(
        facts.asked(role, time).anyMatch(it -> it.version().equals(Optional.of(to.version()))),
        broken,
        "I14: %s begins to replace its release by %s, which no share has",
        role,
        to);
    require(
        to.local() <= facts.purges(role),
        broken,
        "I14: %s begins the purge %s, which nobody has requested",
        role,
        to);
    now.used(role)
        .map(ReleaseName::of)
        .filter(it -> it.version().equals(to.version()) && it.generation() == to.generation())
        .ifPresent(
            from ->
                require(
                    to.local() >= from.local(),
                    broken,
                    "I14: %s begins to replace %s by %s: its counter is smaller",
                    role,
                    from,
                    to));
  }

  /**
   * I7t: processes are stopped only once the next release is complete, or verified if it is
   * unpacked later; or to apply changes that wait for a restart.
   */
  private void stops(
      String role,
      Optional<Replacement> last,
      Replacement step,
      MachineView now,
      List<String> broken) {
    boolean appliesChanges = last.isEmpty() && step.from().equals(step.to());
    require(
        appliesChanges
            || last.filter(it -> it.phase() == Phase.PREPARE && it.to().equals(step.to()))
                .isPresent(),
        broken,
        "I7t: %s stops its processes without a phase in which it prepared %s",
        role,
        step.to());
    step.to()
        .map(MachineView::keyOfRef)
        .ifPresent(
            key ->
                require(
                    isComplete(now, key) || (!step.down() && isVerified(now, key)),
                    broken,
                    "I7t: %s stops its processes, and %s is not complete",
                    role,
                    key));
  }

  private static boolean isVerified(MachineView now, String key) {
    return Optional.ofNullable(now.refs().get(key))
        .filter(ref -> ref.spec().verifyOnly() && !ref.meta().deleting())
        .flatMap(Resource::status)
        .filter(status -> status.state().atLeast(DeploymentRef.State.VERIFIED))
        .isPresent();
  }

  /**
   * I9: a replacement is committed once, and no process is left. It begins to switch files after
   * all processes have ended; so does an unfinished one that leads back.
   */
  private void switches(
      String role,
      Optional<Replacement> before,
      Replacement step,
      MachineView now,
      List<String> broken) {
    require(
        before.filter(it -> it.phase() == Phase.STOP || it.preparesDown()).isPresent(),
        broken,
        "I9: %s switches its files without having stopped its processes: %s",
        role,
        before);
    var uid = now.instances().get(role).meta().uid();
    var last = committed.put(uid, step.to());
    boolean stays = step.from().equals(step.to());
    require(
        last == null || stays || !Objects.equals(last, step.to()) || facts.wasLost(role),
        broken,
        "I9: %s commits twice to %s",
        role,
        step.to());
    require(
        !now.isUp(role) && now.images(role).isEmpty(),
        broken,
        "I9: %s commits to %s, and has processes: %s, %s",
        role,
        step.to(),
        now.processes().keySet(),
        now.images(role));
  }

  /**
   * I9c: a release that is used, or that a replacement needs, is not removed. The present one is if
   * another one, which is verified, is to be unpacked in its place.
   */
  private void released(MachineView before, MachineView now, List<String> broken) {
    now.refs()
        .forEach(
            (key, ref) -> {
              var role = ref.spec().role();
              var was = before.refs().get(key);
              boolean begins = ref.meta().deleting() && (was == null || !was.meta().deleting());
              if (!begins || now.isDeleting(role) || facts.wasLost(role)) {
                return;
              }
              var replacement = now.replacement(role);
              var name = Optional.of(ref.name());
              boolean present =
                  now.used(role).equals(Optional.of(key))
                      || replacement.flatMap(Replacement::from).equals(name);
              boolean givesWay =
                  replacement
                      .filter(Replacement::preparesDown)
                      .flatMap(Replacement::to)
                      .filter(to -> isVerified(now, keyOfRef(to)))
                      .isPresent();
              boolean needed =
                  (present && !givesWay)
                      || replacement.flatMap(Replacement::to).equals(name)
                      || former(role, now).equals(name);
              require(
                  !needed,
                  broken,
                  "I9c: %s removes %s, which it needs: %s",
                  role,
                  key,
                  replacement);
            });
  }

  /** The release that an instance goes back to, or may go back to. */
  private static Optional<String> former(String role, MachineView now) {
    return now.status(role)
        .flatMap(RoleInstance.Status::failed)
        .map(FailedVersion::former)
        .or(() -> now.replacement(role).flatMap(Replacement::former))
        .flatMap(TemplateOutput.Next::release)
        .map(TemplateOutput.UsedRelease::ref);
  }

  /** I12: processes go first, then files, then releases. */
  private void deletion(String role, MachineView now, boolean lags, List<String> broken) {
    if (!now.isDeleting(role) || facts.wasLost(role)) {
      return;
    }
    boolean files = now.outputs().containsKey(role) || now.images().containsKey(role);
    require(!now.isUp(role) || files || lags, broken, "I12: %s has processes and no files", role);
    var used = now.used(role);
    require(
        used.isEmpty()
            || now.refs().containsKey(used.get())
            || now.replacement(role).filter(Replacement::preparesDown).isPresent(),
        broken,
        "I12: %s has files of %s, which is removed",
        role,
        used);
  }

  /** I12: an instance is gone only after everything of it. */
  private void gone(MachineView before, MachineView now, List<String> broken) {
    for (var role : before.instances().keySet()) {
      if (now.instances().containsKey(role) || facts.wasLost(role)) {
        continue;
      }
      boolean left =
          now.isUp(role)
              || now.outputs().containsKey(role)
              || now.images().containsKey(role)
              || now.refs().values().stream().anyMatch(it -> it.spec().role().equals(role));
      require(!left, broken, "I12: %s is gone, and has left something", role);
    }
  }

  /** I13: files are rendered only for a complete release. */
  private void created(MachineView before, MachineView now, List<String> broken) {
    for (var role : now.outputs().keySet()) {
      var used = now.used(role);
      if (used.equals(before.used(role)) || facts.wasLost(role)) {
        continue;
      }
      used.ifPresent(
          key ->
              require(
                  isComplete(now, key),
                  broken,
                  "I13: files of %s are rendered for %s, which is not complete",
                  role,
                  key));
    }
  }

  /** I20: an instance is observed in the order of its generations. */
  private static void observed(
      String role, MachineView before, MachineView now, List<String> broken) {
    var instance = now.instances().get(role);
    var status = now.status(role);
    long seen = status.map(RoleInstance.Status::observedGeneration).orElse(0L);
    long last = before.status(role).map(RoleInstance.Status::observedGeneration).orElse(0L);
    require(
        last <= seen && seen <= instance.meta().generation(),
        broken,
        "I20: %s was observed in the generation %d, then %d, and has %d",
        role,
        last,
        seen,
        instance.meta().generation());
    status
        .flatMap(it -> Condition.find(it.conditions(), ConditionType.READY))
        .filter(Condition::isTrue)
        .ifPresent(
            ready ->
                require(
                    ready.observedGeneration() == seen,
                    broken,
                    "I20: %s is ready in the generation %d, and observed in %d",
                    role,
                    ready.observedGeneration(),
                    seen));
  }

  /** The parts of the key of a release: {@code web@v1@main@g1.l0}. */
  record ReleaseName(String version, long generation, long local) {
    static ReleaseName of(String key) {
      var parts = key.split("@", -1);
      var numbers = parts[3].split("\\.", -1);
      return new ReleaseName(
          parts[1],
          Long.parseLong(numbers[0].substring(1)),
          Long.parseLong(numbers[1].substring(1)));
    }
  }
}
