package verwalter.controllers.instance;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;

/**
 * Measures how long the processes of new versions have been running. Timers measure it, so it does
 * not depend on the clock, and it begins anew with each start of the agent. Confined to its loop.
 */
final class StartTrials {
  private final Loop loop;
  private final Map<String, Trial> trials = new HashMap<>();
  private Consumer<ResourceKey> keys = key -> {};

  /** The trial of one replacement. */
  private static final class Trial {
    private final String replacement;
    private boolean begun;
    private boolean up;
    private StartTrial result = StartTrial.NONE;

    Trial(String replacement) {
      this.replacement = replacement;
    }
  }

  StartTrials(Loop loop) {
    this.loop = loop;
  }

  /** Names an instance after some time has passed. */
  void reportTo(Consumer<ResourceKey> report) {
    keys = report;
  }

  /** Looks at an instance, and says how long the processes of its new version have been running. */
  StartTrial look(Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var replacement =
        instance
            .status()
            .flatMap(RoleInstance.Status::replacement)
            .filter(it -> it.phase() == Phase.START && StartFailure.isWatched(instance, it));
    if (replacement.isEmpty()) {
      trials.remove(instance.name());
      return StartTrial.NONE;
    }
    var trial =
        trials.compute(
            instance.name(),
            (name, last) -> {
              var its = identity(instance, replacement.get());
              return last != null && last.replacement.equals(its) ? last : new Trial(its);
            });
    observe(instance.key(), trial, InstanceState.of(instance, children), children);
    return trial.result;
  }

  private static String identity(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Replacement replacement) {
    return "%s %s %s".formatted(instance.meta().uid(), replacement.to(), replacement.began());
  }

  private void observe(ResourceKey key, Trial trial, InstanceState state, Children children) {
    if (!trial.begun && children.desired() > 0) {
      trial.begun = true;
      loop.after(
          StartFailure.START_TIME,
          () -> end(key, trial, new StartTrial(trial.result.ranLongEnough(), true)));
    }
    if (!trial.up && state.isUp()) {
      trial.up = true;
      loop.after(
          StartFailure.RUN_TIME,
          () -> end(key, trial, new StartTrial(true, trial.result.startExpired())));
    }
  }

  private void end(ResourceKey key, Trial trial, StartTrial result) {
    if (trials.get(key.name()) == trial) {
      trial.result = result;
      keys.accept(key);
    }
  }

  /** Forgets an instance. */
  void forget(String instance) {
    trials.remove(instance);
  }
}
