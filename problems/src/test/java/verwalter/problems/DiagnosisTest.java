package verwalter.problems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Configuration;
import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.InstanceError;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;

class DiagnosisTest {
  private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "NODE,READY,FALSE,AGENT_RUNNING,CRITICAL,is not ready",
    "NODE,READY,UNKNOWN,LEASE_EXPIRED,CRITICAL,does not report; it is unknown whether it works",
    "ROLE,CONFIG_VALID,FALSE,UNREADABLE,ERROR,its files cannot be read",
    "ROLE,CONFIG_VALID,UNKNOWN,DIRECTORY_UNKNOWN,ERROR,its files are unknown",
    "ROLE,SCHEDULED,FALSE,SET_ASIDE,ERROR,'the scheduler fails with it, and leaves it out'",
    "SCHEDULE,SCHEDULER_LOADED,FALSE,LOAD_FAILED,CRITICAL,the scheduler cannot be loaded",
    "SCHEDULE,DECIDED,FALSE,SCHEDULER_FAILED,CRITICAL,the scheduler fails",
    "SCHEDULE,NODES_KNOWN,FALSE,UNKNOWN_NODES,ERROR,names nodes that do not exist",
    "NODE_SCHEDULE,ACCEPTED,FALSE,ROLES_REFUSED,ERROR,some of its roles are refused",
    "OUTPUT,RENDERED,FALSE,RENDER_FAILED,ERROR,its files cannot be rendered",
    "OUTPUT,RENDERED,FALSE,NEEDS_CYCLE,ERROR,its files cannot be rendered",
    "OUTPUT,RENDERED,FALSE,HELD,WARNING,a guard holds its new files back",
    "OUTPUT,RENDERED,TRUE,ROLLED_BACK,WARNING,does not follow its templates",
    "OUTPUT,AS_WRITTEN,FALSE,DRIFTED,WARNING,its files were changed by somebody else",
    "GROUP,ACCEPTED,FALSE,REFUSED,ERROR,its processes are refused",
    "GROUP,LIMITED,FALSE,LIMITS_NOT_ENFORCED,WARNING,runs without some of its limits",
    "GROUP,CONTAINED,FALSE,DETACHED,WARNING,has processes outside of their sessions",
    "GROUP,READY,FALSE,REFUSED,ERROR,condition Ready is false",
  })
  void conditionIsProblem(
      Sample sample,
      ConditionType type,
      Condition.Truth status,
      Reason reason,
      Severity severity,
      String what) {
    var object = sample.with(condition(type, status, reason, "line 1\nline 2"));
    assertThat(Diagnosis.of(object))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(severity);
              assertThat(problem.object()).isEqualTo(object.key());
              assertThat(problem.what()).isEqualTo(what);
              assertThat(problem.since()).contains(SINCE);
              assertThat(problem.why()).isEqualTo("line 1\nline 2");
              assertThat(problem.next())
                  .isEqualTo(
                      reason == Reason.ROLLED_BACK
                          ? "vw files resume web --node a"
                          : "vw describe "
                              + object.key().kind().toLowerCase(java.util.Locale.ROOT)
                              + "/"
                              + object.name());
            });
  }

  @ParameterizedTest
  @CsvSource({
    "NODE,READY,TRUE,AGENT_RUNNING",
    "ROLE,CONFIG_VALID,TRUE,READ",
    "SCHEDULE,DECIDED,TRUE,DECIDED",
    "OUTPUT,RENDERED,TRUE,IN_PLACE",
    "OUTPUT,RENDERED,FALSE,WAITING",
    "OUTPUT,RENDERED,UNKNOWN,RENDER_FAILED",
    "GROUP,ACCEPTED,TRUE,ACCEPTED",
  })
  void conditionIsNoProblem(
      Sample sample, ConditionType type, Condition.Truth status, Reason reason) {
    assertThat(Diagnosis.of(sample.with(condition(type, status, reason, "")))).isEmpty();
  }

  @Test
  void anInstanceThatWaitsForMemoryIsAWarning() {
    var instance = instance(RoleInstance.State.WAITING);

    assertThat(Diagnosis.of(waiting(instance, Reason.MISSING_MEMORY)))
        .containsExactly(
            new ObjectProblem(
                Severity.WARNING,
                instance.key(),
                Optional.of("web"),
                Optional.of("a"),
                "waits for memory",
                Optional.of(SINCE),
                "b@a has 2 GB",
                "vw describe roleinstance/web@a"));
    assertThat(Diagnosis.of(waiting(instance, Reason.START_DELAYED))).isEmpty();
    assertThat(Diagnosis.of(waiting(instance, Reason.PRIORITY_HOLD))).isEmpty();
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> waiting(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Reason reason) {
    var admitted = condition(ConditionType.ADMITTED, Condition.Truth.FALSE, reason, "b@a has 2 GB");
    var status = instance.status().orElseThrow();
    return instance.withStatus(status.admitted(List.of(admitted), Optional.empty()));
  }

  @Test
  void aCounterThatWentBackIsAWarning() {
    var behind =
        condition(
            ConditionType.COUNTERS_CURRENT,
            Condition.Truth.FALSE,
            Reason.COUNTER_BEHIND,
            "spec.purgeCounter is 1");
    var instance = instance(RoleInstance.State.RUNNING);
    var status = instance.status().orElseThrow();

    assertThat(
            Diagnosis.of(instance.withStatus(status.admitted(List.of(behind), Optional.empty()))))
        .extracting(ObjectProblem::severity, ObjectProblem::what, ObjectProblem::why)
        .containsExactly(
            tuple(
                Severity.WARNING,
                "does not obey a counter that went back",
                "spec.purgeCounter is 1"));
  }

  private static Resource<?, ?> ref(
      Optional<Instant> retry, String reason, Condition... conditions) {
    var spec =
        new DeploymentRef.Spec("web", "a", "1", "main", 1, 0, "/web.tar", Optional.empty(), false);
    var status =
        new DeploymentRef.Status(
            1,
            DeploymentRef.State.DOWNLOADING,
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            DeploymentRef.Attempts.NONE,
            retry,
            reason,
            List.of(conditions));
    return Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec).withStatus(status);
  }

  private static Condition unprepared(Reason reason) {
    return condition(ConditionType.PREPARED, Condition.Truth.FALSE, reason, "404");
  }

  @Test
  void aReleaseThatIsTriedAgainIsAWarningWithTheTime() {
    assertThat(Diagnosis.of(ref(Optional.of(SINCE), "timeout", unprepared(Reason.NOT_FOUND))))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.WARNING);
              assertThat(problem.what()).isEqualTo("is not prepared yet");
              assertThat(problem.why())
                  .isEqualTo(
                      "404; the last error: timeout; it is tried again at 2026-03-01T10:00:00Z");
              assertThat(problem.next()).isEqualTo("vw describe deploymentref/web@1@main@g1.l0@a");
            });
  }

  @Test
  void aReleaseThatIsNotTriedAgainIsAnError() {
    assertThat(Diagnosis.of(ref(Optional.empty(), "404", unprepared(Reason.DIGEST_MISMATCH))))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.ERROR);
              assertThat(problem.what()).isEqualTo("cannot be prepared");
              assertThat(problem.why())
                  .isEqualTo("404; it is not tried again until the spec changes");
            });
  }

  @Test
  void aReleaseThatIsBeingPreparedIsNoProblem() {
    assertThat(Diagnosis.of(ref(Optional.empty(), "", unprepared(Reason.PREPARING)))).isEmpty();
  }

  @Test
  void changedFilesOfAReleaseAreAnError() {
    var damaged =
        condition(ConditionType.VERIFIED, Condition.Truth.FALSE, Reason.DAMAGED, "run is missing");
    assertThat(Diagnosis.of(ref(Optional.empty(), "", damaged)))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.what()).isEqualTo("its files are not as they were unpacked"));
  }

  @Test
  void reasonStandsForMissingMessage() {
    var condition =
        condition(ConditionType.READY, Condition.Truth.UNKNOWN, Reason.LEASE_EXPIRED, "");
    assertThat(Diagnosis.of(Sample.NODE.with(condition)).get(0).why()).isEqualTo("LeaseExpired");
  }

  @Test
  void objectWithoutStatusHasNoProblem() {
    assertThat(Diagnosis.of(Resource.of(Node.KIND, "a", new Node.Spec(true)))).isEmpty();
  }

  @Test
  void deletedObjectHasNoProblem() {
    var node = Sample.NODE.with(broken(ConditionType.READY));
    var meta = node.meta();
    var deleted =
        new Metadata(
            meta.name(),
            meta.uid(),
            meta.version(),
            meta.generation(),
            meta.labels(),
            meta.annotations(),
            meta.finalizers(),
            meta.owners(),
            meta.created(),
            Optional.of(SINCE));
    assertThat(Diagnosis.of(node.withMeta(deleted))).isEmpty();
  }

  @Test
  void otherConfigurationDirectoryIsWarning() {
    var differs =
        Condition.ofFalse(
            ConditionType.CONFIG_IN_FORCE, Reason.DIRECTORY_DIFFERS, "scheduler", 1, SINCE);
    var node =
        new Node.Status(
            1, List.of(), Map.of(), capacity(), Optional.empty(), roles(), List.of(differs));
    assertThat(Diagnosis.of(Resource.of(Node.KIND, "a", new Node.Spec(false)).withStatus(node)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.WARNING);
              assertThat(problem.what()).isEqualTo("has another configuration directory");
              assertThat(problem.next()).isEqualTo("vw config diff a");
            });
    var withheld = new Configuration.Status(1, "b", "x", Map.of(), "s", 1, List.of(differs));
    assertThat(
            Diagnosis.of(
                Resource.of(Configuration.KIND, Configuration.CURRENT, Configuration.Spec.NONE)
                    .withStatus(withheld)))
        .extracting(ObjectProblem::what)
        .containsExactly("is not taken from the leader");
  }

  @Test
  void cordonedNodeIsWarning() {
    var node =
        new Node.Status(1, List.of(), Map.of(), capacity(), Optional.empty(), roles(), List.of());
    var cordoned =
        new Resource<>(Node.KIND, Metadata.named("a"), new Node.Spec(true), Optional.of(node));
    assertThat(Diagnosis.of(cordoned))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.WARNING);
              assertThat(problem.what()).isEqualTo("is cordoned");
            });
  }

  @Test
  void whatOperatorsWantOfARoleIsWarning() {
    var annotations =
        Map.of(
            "verwalter.io/undo", "v1",
            "verwalter.io/paused", "true",
            "verwalter.io/scale.web", "5",
            "verwalter.io/requested-by", "ada");
    var role =
        new Resource<>(
            RoleConfig.KIND,
            Metadata.named("docs").withAnnotations(annotations),
            RoleConfig.Spec.of(Map.of()),
            Optional.of(new RoleConfig.Status(1, List.of(), List.of())));
    assertThat(Diagnosis.of(role))
        .extracting(it -> "%s %s; %s".formatted(it.what(), it.why(), it.next()))
        .containsExactly(
            "is held at v1 by ada until its files change; vw rollout resume docs",
            "is paused by ada it begins no update; vw rollout resume docs",
            "runs other numbers of processes than its file says by ada 5 web, until the file"
                + " changes them; vw start docs");
  }

  @ParameterizedTest
  @CsvSource({
    "WAITING,true,process s/web.0 does not run",
    "WAITING,false,",
    "RUNNING,true,",
    "STOPPING,true,",
    "REFUSED,false,process s/web.0 is refused",
  })
  void failedProcessIsProblem(ProcessGroup.State state, boolean failure, String what) {
    var found = Diagnosis.of(group(slot(state, failure)));
    if (what == null) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found.get(0).what()).isEqualTo(what);
      assertThat(found.get(0).why()).isEqualTo("exited with code 98");
      assertThat(found.get(0).since()).contains(SINCE);
      assertThat(found.get(0).next()).isEqualTo("vw describe processgroup/s@a");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "WAITING,true,command s/web.0 failed",
    "WAITING,false,",
    "RUNNING,true,",
    "REFUSED,false,command s/web.0 is refused",
  })
  void aFailedRunOfACommandIsAWarning(ProcessGroup.State state, boolean failure, String what) {
    var commands = List.of(slot(state, failure));
    var group = group(List.of(), List.of());
    var status = new ProcessGroup.Status(1, 0, 0, List.of(), List.of(), Optional.empty(), commands);
    var found = Diagnosis.of(group.withStatus(status));
    if (what == null) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found)
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.severity()).isEqualTo(Severity.WARNING);
                assertThat(it.what()).isEqualTo(what);
                assertThat(it.why()).isEqualTo("exited with code 98");
              });
    }
  }

  @Test
  void onlyBrokenInstanceIsProblem() {
    for (var state : RoleInstance.State.values()) {
      assertThat(Diagnosis.of(instance(state))).hasSize(state == RoleInstance.State.BROKEN ? 1 : 0);
    }
  }

  @Test
  void showsCauseInsteadOfInstance() {
    var broken = instance(RoleInstance.State.BROKEN);
    var process = group(slot(ProcessGroup.State.WAITING, true));
    assertThat(shown(broken, process))
        .extracting(problem -> problem.object().kind())
        .containsExactly("ProcessGroup");
    var drift =
        Sample.OUTPUT.with(
            condition(ConditionType.AS_WRITTEN, Condition.Truth.FALSE, Reason.DRIFTED, ""));
    assertThat(shown(broken, drift))
        .extracting(problem -> problem.object().kind())
        .containsExactly("RoleInstance", "TemplateOutput");
  }

  @Test
  void hidesProblemsOfUnknownNode() {
    var unknown =
        Sample.NODE.with(
            condition(ConditionType.READY, Condition.Truth.UNKNOWN, Reason.LEASE_EXPIRED, ""));
    var process = group(slot(ProcessGroup.State.WAITING, true));
    assertThat(shown(process, unknown))
        .extracting(problem -> problem.object().kind())
        .containsExactly("Node");
    var failing = Sample.NODE.with(broken(ConditionType.READY));
    assertThat(shown(process, failing)).hasSize(2);
  }

  @Test
  void anErrorSaysWhetherItIsTriedAgainAndIsNotRepeatedForTheRole() {
    var error = new InstanceError("died", InstanceError.Retry.AFTER_DELAY, Optional.empty());
    var broken = instance(RoleInstance.State.BROKEN);
    var failing = broken.withStatus(broken.status().orElseThrow().withError(Optional.of(error)));
    var role = Sample.ROLE.with(broken(ConditionType.HEALTHY));
    assertThat(Diagnosis.of(role)).isEmpty();
    assertThat(shown(failing, role))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).isEqualTo("died; it is tried again after a delay"));
  }

  @ParameterizedTest
  @CsvSource({"role-file, vw rollout restart web", "config-dir, vw rollout history web"})
  void aRolloutThatFailedIsProblemOfItsRole(String origin, String next) {
    var role = failedRollout(origin);
    assertThat(shown(role))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.severity()).isEqualTo(Severity.ERROR);
              assertThat(it.what()).isEqualTo("its last rollout failed");
              assertThat(it.why()).isEqualTo("v2 failed: died; it runs v1");
              assertThat(it.next()).isEqualTo(next);
            });
  }

  @Test
  void processesWithoutPlaceAreProblemOfTheirRole() {
    var role =
        Sample.ROLE.with(
            condition(
                ConditionType.PLACED,
                Condition.Truth.FALSE,
                Reason.NO_PLACE,
                "1 of 3 processes finds no place"));
    assertThat(shown(role))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.severity()).isEqualTo(Severity.ERROR);
              assertThat(it.what()).isEqualTo("runs fewer processes than are wanted");
              assertThat(it.why()).isEqualTo("1 of 3 processes finds no place");
              assertThat(it.next()).isEqualTo("vw why web");
            });
  }

  private static Resource<?, ?> failedRollout(String origin) {
    var role =
        Sample.ROLE.with(
            condition(
                ConditionType.ROLLED_OUT,
                Condition.Truth.FALSE,
                Reason.REVERTED,
                "v2 failed: died; it runs v1"));
    return role.withMeta(role.meta().withLabels(Map.of(RoleConfig.ORIGIN, origin)));
  }

  @Test
  void heaviestComesFirst() {
    var drift =
        Sample.OUTPUT.with(
            condition(ConditionType.AS_WRITTEN, Condition.Truth.FALSE, Reason.DRIFTED, ""));
    var role = Sample.ROLE.with(broken(ConditionType.CONFIG_VALID));
    var schedule = Sample.SCHEDULE.with(broken(ConditionType.DECIDED));
    assertThat(shown(drift, role, schedule))
        .extracting(ObjectProblem::severity)
        .containsExactly(Severity.CRITICAL, Severity.ERROR, Severity.WARNING);
  }

  private static List<ObjectProblem> shown(Resource<?, ?>... objects) {
    return Diagnosis.shown(
        Stream.of(objects).flatMap(object -> Diagnosis.of(object).stream()).toList());
  }

  @Test
  void anInstanceThatRunsItsFormerVersionAgainIsProblem() {
    var running = instance(RoleInstance.State.RUNNING);
    var failed =
        new FailedVersion(
            Optional.of("v2"),
            Optional.empty(),
            "exited",
            SINCE,
            Optional.empty(),
            new TemplateOutput.Next("web/v1", Map.of(), Optional.empty()));
    var reverted = running.status().orElseThrow().with(Optional.empty(), Optional.of(failed));

    assertThat(Diagnosis.of(running.withStatus(reverted)))
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.ERROR))
        .satisfies(it -> assertThat(it.what()).isEqualTo("runs its former version again"));
  }

  @Test
  void aRolloutThatFailedOnANodeIsTheProblemOfTheInstance() {
    var running = instance(RoleInstance.State.RUNNING);
    var failed =
        new FailedVersion(
            Optional.of("v2"),
            Optional.empty(),
            "exited",
            SINCE,
            Optional.empty(),
            new TemplateOutput.Next("web/v1", Map.of(), Optional.empty()));
    var reverted = running.status().orElseThrow().with(Optional.empty(), Optional.of(failed));

    assertThat(shown(failedRollout("config-dir"), running.withStatus(reverted)))
        .extracting(ObjectProblem::what)
        .containsExactly("runs its former version again");
  }

  private static Condition broken(ConditionType type) {
    return condition(type, Condition.Truth.FALSE, Reason.BROKEN, "");
  }

  private static Condition condition(
      ConditionType type, Condition.Truth status, Reason reason, String message) {
    return new Condition(type.title(), status, reason.title(), message, 1, SINCE);
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      RoleInstance.State state) {
    return new Resource<>(
        RoleInstance.KIND,
        Metadata.named("web@a"),
        new RoleInstance.Spec("web", "a", "web/v1", Optional.empty(), Map.of()),
        Optional.of(new RoleInstance.Status(1, state, 1, 0, 0, SINCE, "why", List.of())));
  }

  private static ProcessGroup.Slot slot(ProcessGroup.State state, boolean failure) {
    return new ProcessGroup.Slot(
        "s/web.0",
        state,
        "image",
        Optional.empty(),
        Optional.empty(),
        1,
        0,
        Optional.of(new ProcessGroup.Exit(Optional.of(98), Optional.empty(), SINCE, failure)),
        Optional.empty(),
        "exited with code 98",
        List.of(),
        List.of());
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(ProcessGroup.Slot slot) {
    return group(List.of(slot), List.of());
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      List<ProcessGroup.Slot> slots, List<Condition> conditions) {
    return new Resource<>(
        ProcessGroup.KIND,
        Metadata.named("s@a"),
        new ProcessGroup.Spec("web", "a", "s", Map.of()),
        Optional.of(new ProcessGroup.Status(1, 1, 0, slots, conditions)));
  }

  private static Node.Capacity capacity() {
    return new Node.Capacity(1, 1);
  }

  private static Node.Roles roles() {
    return new Node.Roles(0, 0, 0);
  }

  /** An object of each kind. */
  enum Sample {
    NODE {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return new Resource<>(
            Node.KIND,
            Metadata.named("a"),
            new Node.Spec(false),
            Optional.of(
                new Node.Status(
                    1, List.of(), Map.of(), capacity(), Optional.empty(), roles(), conditions)));
      }
    },
    ROLE {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return new Resource<>(
            RoleConfig.KIND,
            Metadata.named("web"),
            RoleConfig.Spec.of(Map.of()),
            Optional.of(new RoleConfig.Status(1, List.of(), conditions)));
      }
    },
    SCHEDULE {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return new Resource<>(
            Schedule.KIND,
            Metadata.named(Schedule.CURRENT),
            Schedule.Spec.NONE,
            Optional.of(new Schedule.Status(1, 0, 0, "", conditions)));
      }
    },
    NODE_SCHEDULE {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return new Resource<>(
            NodeSchedule.KIND,
            Metadata.named("a"),
            new NodeSchedule.Spec("", Map.of()),
            Optional.of(new NodeSchedule.Status(1, Optional.empty(), Map.of(), conditions)));
      }
    },
    OUTPUT {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return new Resource<>(
            TemplateOutput.KIND,
            Metadata.named("web@a"),
            new TemplateOutput.Spec("web", "a", "web/v1", Map.of()),
            Optional.of(
                TemplateOutput.Status.of(
                    1, Optional.empty(), "", List.of(), List.of(), conditions)));
      }
    },
    GROUP {
      @Override
      Resource<?, ?> with(List<Condition> conditions) {
        return group(List.of(), conditions);
      }
    };

    abstract Resource<?, ?> with(List<Condition> conditions);

    Resource<?, ?> with(Condition condition) {
      return with(List.of(condition));
    }
  }
}
