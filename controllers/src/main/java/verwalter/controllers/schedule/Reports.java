package verwalter.controllers.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import verwalter.model.Action;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.MessageLimit;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.stores.api.Write;

/** Computes the statuses of the actions and roles that went into a run. Pure. */
final class Reports {
  /** How many completed actions are kept. */
  private static final int KEPT = 200;

  /** Sets the status of each pending action that the run consumed or failed with. */
  static List<Write> actions(
      List<Resource<Action.Spec, Action.Status>> pending,
      RunOutcome outcome,
      String schedule,
      Instant now) {
    var writes = new ArrayList<Write>();
    var shown = outcome.situation().actions().stream().map(Resource::key).toList();
    for (var action : pending) {
      var problem = outcome.setAside().get(action.key());
      if (problem != null) {
        var reason = MessageLimit.shorten(problem);
        writes.add(put(action, Action.State.SET_ASIDE, "", Optional.empty(), reason, now));
      } else if (!outcome.failed() && shown.contains(action.key())) {
        var answer =
            outcome
                .decision()
                .flatMap(its -> Optional.ofNullable(its.answers().get(action.name())));
        writes.add(put(action, Action.State.DONE, schedule, answer, "", now));
      }
    }
    return writes;
  }

  private static Write put(
      Resource<Action.Spec, Action.Status> action,
      Action.State state,
      String schedule,
      Optional<Object> answer,
      String reason,
      Instant now) {
    return new Write.PutStatus(
        action.withStatus(
            new Action.Status(action.meta().generation(), state, schedule, answer, reason, now)));
  }

  /** Removes completed actions beyond the newest 200. */
  static List<Write> forgotten(List<Resource<Action.Spec, Action.Status>> all) {
    var dealtWith =
        all.stream()
            .filter(action -> action.status().isPresent())
            .sorted(Comparator.comparing(action -> action.spec().at()))
            .toList();
    return dealtWith.subList(0, Math.max(0, dealtWith.size() - KEPT)).stream()
        .<Write>map(Write.Remove::new)
        .toList();
  }

  /** Writes the condition Accepted of each role for which it changed. */
  static List<Write> roles(
      List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles, Quarantine setAside, Instant now) {
    var writes = new ArrayList<Write>();
    for (var role : roles) {
      var status = role.status();
      var before = status.flatMap(its -> Condition.find(its.conditions(), ConditionType.SCHEDULED));
      var problem = setAside.problem(role);
      if (status.isEmpty() || (problem.isEmpty() && before.isEmpty())) {
        continue;
      }
      var generation = role.meta().generation();
      var condition =
          problem
              .map(
                  why ->
                      Condition.ofFalse(
                          ConditionType.SCHEDULED,
                          Reason.SET_ASIDE,
                          why + " (the role keeps its previous schedule)",
                          generation,
                          now))
              .orElseGet(
                  () ->
                      Condition.ofTrue(
                          ConditionType.SCHEDULED, Reason.SCHEDULED, "", generation, now));
      var next =
          new RoleConfig.Status(
              status.get().observedGeneration(),
              status.get().versions(),
              Condition.put(status.get().conditions(), condition));
      if (!next.equals(status.get())) {
        writes.add(new Write.PutStatus(role.withStatus(next)));
      }
    }
    return writes;
  }

  private Reports() {}
}
