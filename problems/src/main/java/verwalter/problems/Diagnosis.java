package verwalter.problems;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Configuration;
import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.InstanceError;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.RoleIntent;
import verwalter.model.Schedule;
import verwalter.model.Scope;
import verwalter.model.TemplateOutput;

/** Computes problems from objects. Pure. */
public final class Diagnosis {
  /** The kinds whose objects can have problems. */
  public static final List<Kind<?, ?>> KINDS =
      List.of(
          Node.KIND,
          RoleConfig.KIND,
          Configuration.KIND,
          Schedule.KIND,
          NodeSchedule.KIND,
          RoleInstance.KIND,
          DeploymentRef.KIND,
          TemplateOutput.KIND,
          ProcessGroup.KIND);

  /** The problems that this object has by itself. */
  public static List<ObjectProblem> of(Resource<?, ?> object) {
    if (object.meta().deleting() || object.status().isEmpty()) {
      return List.of();
    }
    var found = new ArrayList<ObjectProblem>();
    var about = new Subject(object, found);
    var status = object.status().get();
    if (status instanceof Node.Status its) {
      its.conditions().forEach(about::node);
      about.cordoned();
    } else if (status instanceof RoleConfig.Status its) {
      its.conditions().forEach(about::role);
      about.intent();
    } else if (status instanceof Configuration.Status its) {
      its.conditions().forEach(about::configuration);
    } else if (status instanceof Schedule.Status its) {
      its.conditions().forEach(about::schedule);
    } else if (status instanceof NodeSchedule.Status its) {
      about.failing(its.conditions(), "some of its roles are refused");
    } else if (status instanceof RoleInstance.Status its) {
      about.instance(its);
    } else if (status instanceof DeploymentRef.Status its) {
      its.conditions().forEach(condition -> about.release(its, condition));
    } else if (status instanceof TemplateOutput.Status its) {
      its.conditions().forEach(about::output);
    } else if (status instanceof ProcessGroup.Status its) {
      about.failing(its.conditions(), "its processes are refused");
      its.processes().stream().filter(ProcessGroup.Slot::failed).forEach(about::process);
      its.commands().stream().filter(ProcessGroup.Slot::failed).forEach(about::command);
    }
    return List.copyOf(found);
  }

  /**
   * The problems to show, the heaviest first: without those of instances whose files or processes
   * have a problem, without those of nodes whose state is unknown, and without rollouts that failed
   * on nodes, which are problems of instances.
   *
   * @param all the problems of each object
   */
  public static List<ObjectProblem> shown(Collection<ObjectProblem> all) {
    var explained =
        all.stream()
            .filter(Diagnosis::explainsInstance)
            .map(Diagnosis::instance)
            .collect(Collectors.toSet());
    var unknown =
        all.stream()
            .filter(problem -> problem.object().kind().equals(Node.KIND.name()))
            .filter(problem -> problem.what().equals(Subject.UNKNOWN_NODE))
            .map(problem -> problem.object().name())
            .collect(Collectors.toSet());
    var reverted =
        all.stream()
            .filter(problem -> problem.what().equals(Subject.FORMER_VERSION))
            .map(ObjectProblem::role)
            .collect(Collectors.toSet());
    return all.stream()
        .filter(problem -> !(isInstance(problem) && explained.contains(problem.object())))
        .filter(
            problem ->
                !(problem.what().equals(Subject.FAILED_ROLLOUT)
                    && reverted.contains(problem.role())))
        .filter(
            problem -> !(ofNode(problem) && problem.node().filter(unknown::contains).isPresent()))
        .sorted(ObjectProblem.BY_WEIGHT)
        .toList();
  }

  private static boolean explainsInstance(ObjectProblem problem) {
    return problem.severity() != Severity.WARNING && ofNode(problem) && !isInstance(problem);
  }

  private static boolean isInstance(ObjectProblem problem) {
    return problem.object().kind().equals(RoleInstance.KIND.name());
  }

  private static boolean ofNode(ObjectProblem problem) {
    return KINDS.stream()
        .filter(kind -> kind.name().equals(problem.object().kind()))
        .anyMatch(kind -> kind.scope() == Scope.NODE);
  }

  private static ResourceKey instance(ObjectProblem problem) {
    return RoleInstance.KIND.key(
        RoleInstance.name(problem.role().orElse(""), problem.node().orElse("")));
  }

  private Diagnosis() {}

  /** The object whose problems are collected. */
  private record Subject(Resource<?, ?> object, List<ObjectProblem> found) {
    static final String FAILED_ROLLOUT = "its last rollout failed";
    static final String FORMER_VERSION = "runs its former version again";
    static final String UNKNOWN_NODE = "does not report; it is unknown whether it works";

    void node(Condition condition) {
      if (condition.is(ConditionType.READY) && condition.status() == Condition.Truth.UNKNOWN) {
        add(Severity.CRITICAL, UNKNOWN_NODE, condition);
      } else if (condition.is(ConditionType.READY) && condition.isFalse()) {
        add(Severity.CRITICAL, "is not ready", condition);
      } else if (condition.is(ConditionType.CONFIG_IN_FORCE) && condition.isFalse()) {
        add(
            Severity.WARNING,
            "has another configuration directory",
            Optional.of(condition.since()),
            condition.message(),
            "vw config diff " + object.name());
      } else {
        other(condition);
      }
    }

    void cordoned() {
      if (object.spec() instanceof Node.Spec spec && (spec.cordoned() || spec.draining())) {
        add(
            Severity.WARNING,
            spec.draining() ? "is being drained" : "is cordoned",
            Optional.empty(),
            spec.draining()
                ? "the scheduler should move its roles to other nodes"
                : "the scheduler should assign no new roles to it",
            describe());
      }
    }

    /** What operators want of a role beside its files. */
    @SuppressWarnings("unchecked") // the spec is that of a role
    void intent() {
      var intent =
          RoleIntent.of((Resource<RoleConfig.Spec, RoleConfig.Status>) (Resource<?, ?>) object);
      var by = intent.by().map(name -> " by " + name).orElse("");
      intent
          .revision()
          .ifPresent(
              version ->
                  held(
                      "is held at " + version + by,
                      "until its files change",
                      "vw rollout resume " + object.name()));
      if (intent.paused()) {
        held("is paused" + by, "it begins no update", "vw rollout resume " + object.name());
      }
      if (!intent.scale().isEmpty()) {
        var numbers =
            new TreeMap<>(intent.scale())
                .entrySet().stream()
                    .map(it -> "%d %s".formatted(it.getValue(), it.getKey()))
                    .collect(Collectors.joining(", "));
        held(
            "runs other numbers of processes than its file says" + by,
            numbers + ", until the file changes them",
            "vw start " + object.name());
      }
    }

    private void held(String what, String why, String next) {
      add(Severity.WARNING, what, Optional.empty(), why, next);
    }

    void role(Condition condition) {
      if (condition.hasReason(Reason.DIRECTORY_UNKNOWN)) {
        add(Severity.ERROR, "its files are unknown", condition);
        return;
      }
      if (!condition.isFalse() || condition.is(ConditionType.HEALTHY)) {
        return; // the instances with errors are problems
      }
      if (condition.is(ConditionType.CONFIG_VALID)) {
        add(Severity.ERROR, "its files cannot be read", condition);
      } else if (condition.is(ConditionType.SCHEDULED)) {
        add(Severity.ERROR, "the scheduler fails with it, and leaves it out", condition);
      } else if (condition.is(ConditionType.ROLLED_OUT)) {
        add(
            Severity.ERROR,
            FAILED_ROLLOUT,
            Optional.of(condition.since()),
            condition.message(),
            retry());
      } else if (condition.is(ConditionType.PLACED)) {
        add(
            Severity.ERROR,
            "runs fewer processes than are wanted",
            Optional.of(condition.since()),
            condition.message(),
            "vw why " + object.name());
      } else if (condition.is(ConditionType.TEMPLATES_EQUAL)) {
        add(
            Severity.WARNING,
            "has different templates",
            Optional.of(condition.since()),
            condition.message(),
            "vw config diff");
      } else {
        other(condition);
      }
    }

    void configuration(Condition condition) {
      if (condition.isFalse() && condition.is(ConditionType.CONFIG_IN_FORCE)) {
        add(
            Severity.WARNING,
            "is not taken from the leader",
            Optional.of(condition.since()),
            condition.message(),
            "vw config diff");
      } else {
        other(condition);
      }
    }

    void schedule(Condition condition) {
      if (!condition.isFalse()) {
        return;
      }
      if (condition.is(ConditionType.SCHEDULER_LOADED)) {
        add(Severity.CRITICAL, "the scheduler cannot be loaded", condition);
      } else if (condition.is(ConditionType.DECIDED)) {
        add(Severity.CRITICAL, "the scheduler fails", condition);
      } else if (condition.is(ConditionType.NODES_KNOWN)) {
        add(Severity.ERROR, "names nodes that do not exist", condition);
      } else {
        other(condition);
      }
    }

    void instance(RoleInstance.Status status) {
      if (status.state() == RoleInstance.State.BROKEN) {
        add(Severity.ERROR, "does not work", Optional.of(status.since()), why(status), describe());
      } else if (status.failed().isPresent()) {
        add(
            Severity.ERROR,
            FORMER_VERSION,
            status.failed().map(FailedVersion::at),
            why(status),
            describe());
      }
      Condition.find(status.conditions(), ConditionType.ADMITTED)
          .filter(it -> it.isFalse() && it.hasReason(Reason.MISSING_MEMORY))
          .ifPresent(it -> add(Severity.WARNING, "waits for memory", it));
      Condition.find(status.conditions(), ConditionType.COUNTERS_CURRENT)
          .filter(Condition::isFalse)
          .ifPresent(it -> add(Severity.WARNING, "does not obey a counter that went back", it));
    }

    /** The error with whether it is tried again; the reason if another version reported it. */
    private static String why(RoleInstance.Status status) {
      return status.error().map(InstanceError::text).orElse(status.reason());
    }

    void release(DeploymentRef.Status status, Condition condition) {
      if (condition.is(ConditionType.PREPARED)) {
        if (condition.isFalse() && !condition.hasReason(Reason.PREPARING)) {
          unprepared(status, condition);
        }
      } else if (condition.is(ConditionType.VERIFIED) && condition.isFalse()) {
        add(Severity.ERROR, "its files are not as they were unpacked", condition);
      } else {
        other(condition);
      }
    }

    /** The first error, and what follows: another attempt, or none until the spec changes. */
    private void unprepared(DeploymentRef.Status status, Condition condition) {
      var first = condition.message().isEmpty() ? condition.reason() : condition.message();
      var last =
          status.reason().isEmpty() || status.reason().equals(first)
              ? ""
              : "; the last error: " + status.reason();
      add(
          status.nextRetry().isPresent() ? Severity.WARNING : Severity.ERROR,
          status.nextRetry().isPresent() ? "is not prepared yet" : "cannot be prepared",
          Optional.of(condition.since()),
          first
              + last
              + status
                  .nextRetry()
                  .map("; it is tried again at %s"::formatted)
                  .orElse("; it is not tried again until the spec changes"),
          describe());
    }

    void output(Condition condition) {
      if (condition.is(ConditionType.RENDERED)) {
        rendered(condition);
      } else if (condition.is(ConditionType.AS_WRITTEN) && condition.isFalse()) {
        add(Severity.WARNING, "its files were changed by somebody else", condition);
      } else {
        other(condition);
      }
    }

    private void rendered(Condition condition) {
      if (condition.isTrue() && condition.hasReason(Reason.ROLLED_BACK)) {
        add(
            Severity.WARNING,
            "does not follow its templates",
            Optional.of(condition.since()),
            condition.message(),
            resume());
      } else if (condition.isFalse() && condition.hasReason(Reason.HELD)) {
        add(Severity.WARNING, "a guard holds its new files back", condition);
      } else if (condition.isFalse() && !condition.hasReason(Reason.WAITING)) {
        add(Severity.ERROR, "its files cannot be rendered", condition);
      }
    }

    void process(ProcessGroup.Slot slot) {
      slot(Severity.ERROR, "process", slot, "does not run");
    }

    /** A command that runs by time. It is no problem any longer once a run succeeds. */
    void command(ProcessGroup.Slot slot) {
      slot(Severity.WARNING, "command", slot, "failed");
    }

    private void slot(Severity severity, String kind, ProcessGroup.Slot slot, String failed) {
      var how = slot.state() == ProcessGroup.State.REFUSED ? "is refused" : failed;
      add(
          severity,
          "%s %s %s".formatted(kind, slot.name(), how),
          slot.lastExit().map(ProcessGroup.Exit::at),
          slot.reason(),
          describe());
    }

    void failing(List<Condition> conditions, String what) {
      for (var condition : conditions) {
        if (condition.isFalse() && condition.is(ConditionType.ACCEPTED)) {
          add(Severity.ERROR, what, condition);
        } else if (condition.isFalse() && condition.is(ConditionType.CONTAINED)) {
          add(Severity.WARNING, "has processes outside of their sessions", condition);
        } else if (condition.isFalse() && condition.is(ConditionType.LIMITED)) {
          add(Severity.WARNING, "runs without some of its limits", condition);
        } else {
          other(condition);
        }
      }
    }

    /** A false condition of another version, which this version does not know. */
    private void other(Condition condition) {
      if (condition.isFalse()) {
        add(Severity.ERROR, "condition %s is false".formatted(condition.type()), condition);
      }
    }

    private void add(Severity severity, String what, Condition condition) {
      var why = condition.message().isEmpty() ? condition.reason() : condition.message();
      add(severity, what, Optional.of(condition.since()), why, describe());
    }

    private void add(
        Severity severity, String what, Optional<Instant> since, String why, String next) {
      found.add(
          new ObjectProblem(
              severity, object.key(), role(object), node(object), what, since, why, next));
    }

    /** A service is rolled out again; the versions of other roles are changed in their files. */
    private String retry() {
      boolean isService =
          RoleConfig.ROLE_FILE.equals(object.meta().labels().get(RoleConfig.ORIGIN));
      return "vw rollout %s %s".formatted(isService ? "restart" : "history", object.name());
    }

    private String resume() {
      return "vw files resume %s --node %s"
          .formatted(role(object).orElse(""), node(object).orElse(""));
    }

    private String describe() {
      return "vw describe %s/%s"
          .formatted(object.type().name().toLowerCase(Locale.ROOT), object.name());
    }

    private static <S, T> Optional<String> role(Resource<S, T> object) {
      return object.type().role(object);
    }

    private static <S, T> Optional<String> node(Resource<S, T> object) {
      return object.type().node(object);
    }
  }
}
