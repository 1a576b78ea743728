package verwalter.model;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** One role on one node. Its name is {@code role@node}. */
public final class RoleInstance {
  /** The finalizer that is removed once processes have stopped and files are removed. */
  public static final String FINALIZER = "verwalter.io/instance";

  public static final Kind<Spec, Status> KIND =
      Kind.of("RoleInstance", "ri", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.NODE_SCHEDULE)
          .removedByItsWriters()
          .statusBy(Writer.INSTANCE)
          .finalizedBy(FINALIZER, Writer.INSTANCE);

  /** The field that {@code vw restart} raises. */
  public static final String RESTART_COUNTER = "restartCounter";

  /** The field that {@code vw purge} raises. */
  public static final String PURGE_COUNTER = "purgeCounter";

  private static Map<String, Long> counters(Optional<Long> restart, Optional<Long> purge) {
    var counters = new LinkedHashMap<String, Long>();
    restart.ifPresent(number -> counters.put(RESTART_COUNTER, number));
    purge.ifPresent(number -> counters.put(PURGE_COUNTER, number));
    return counters;
  }

  public static String name(String role, String node) {
    return role + "@" + node;
  }

  /**
   * The role as the schedule assigns it to the node.
   *
   * @param role name of the role
   * @param node name of the node
   * @param template directory below {@code templates/}, from the variable of that name
   * @param version the variable {@code version}, if it is a string; for display only
   * @param variables the input of the templates
   * @param restartCounter the number of the last restart that was requested; absent before the
   *     first one. Operators raise it, and the schedule does not change it.
   * @param purgeCounter the number of the last purge that was requested: the files of the release
   *     are then unpacked anew. As for {@code restartCounter}.
   * @param release the programs of the version, which are prepared before its templates are
   *     rendered; absent if the node has them already
   * @param update how the version replaces others and is changed; absent for the defaults. A change
   *     of it changes no process.
   * @param start what the start of its processes waits for; absent for nothing. A change of it
   *     changes no process that runs.
   */
  public record Spec(
      String role,
      String node,
      String template,
      Optional<String> version,
      Map<String, Object> variables,
      Optional<Long> restartCounter,
      Optional<Long> purgeCounter,
      Optional<WantedRelease> release,
      Optional<UpdatePolicy> update,
      Optional<StartPolicy> start)
      implements Commanded<Spec> {
    public Spec {
      variables = Json.freeze(variables);
    }

    /** An instance of which no restart was requested, and without a release. */
    public Spec(
        String role,
        String node,
        String template,
        Optional<String> version,
        Map<String, Object> variables) {
      this(
          role,
          node,
          template,
          version,
          variables,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** A copy with other counters. */
    private Spec with(Optional<Long> restart, Optional<Long> purge) {
      return new Spec(
          role, node, template, version, variables, restart, purge, release, update, start);
    }

    /** A copy with another restart counter. */
    public Spec withRestartCounter(Optional<Long> counter) {
      return with(counter, purgeCounter);
    }

    /** A copy with another purge counter. */
    public Spec withPurgeCounter(Optional<Long> counter) {
      return with(restartCounter, counter);
    }

    /** A copy with another release. */
    public Spec withRelease(Optional<WantedRelease> other) {
      return new Spec(
          role,
          node,
          template,
          version,
          variables,
          restartCounter,
          purgeCounter,
          other,
          update,
          start);
    }

    /** A copy with the policies of these settings. */
    public Spec withPolicies(VersionSettings settings) {
      return new Spec(
          role,
          node,
          template,
          version,
          variables,
          restartCounter,
          purgeCounter,
          release,
          settings.update(),
          settings.start());
    }

    /** A copy with other variables. */
    public Spec withVariables(Map<String, Object> other) {
      return new Spec(
          role,
          node,
          template,
          version,
          other,
          restartCounter,
          purgeCounter,
          release,
          update,
          start);
    }

    /** A copy for another node. */
    public Spec withNode(String other) {
      return new Spec(
          role,
          other,
          template,
          version,
          variables,
          restartCounter,
          purgeCounter,
          release,
          update,
          start);
    }

    @Override
    public Map<String, Long> counters() {
      return RoleInstance.counters(restartCounter, purgeCounter);
    }

    @Override
    public Spec withCountersOf(Spec other) {
      return with(other.restartCounter, other.purgeCounter);
    }
  }

  /**
   * The programs of a version.
   *
   * @param image where they come from
   * @param generation grows with each change of the version or the image on the node, from 1
   */
  public record WantedRelease(VersionImage image, long generation) {}

  /** The states of an instance, in their usual order. */
  public enum State {
    /** Created; nothing was done yet. */
    INITIAL,
    /** The programs of its version are downloaded and unpacked. What ran before keeps running. */
    PREPARING,
    /**
     * Its programs are complete, and it may not start yet: the condition {@code Admitted} says why.
     */
    WAITING,
    /** Its files are being rendered, or it waits for another role. */
    RENDERING,
    /** Its files are in place; processes are being started. */
    BOOTING,
    /** All of its processes run. */
    RUNNING,
    /** Rendering failed, or a process failed or was refused. */
    BROKEN,
    /** Its processes are being stopped. */
    HALTING,
    /** It has no process to run. */
    HALTED
  }

  /**
   * The state of the instance.
   *
   * @param state the state
   * @param desired number of processes that should run
   * @param running number of processes that run
   * @param restarts number of restarts of its present processes after they had ended by themselves
   * @param since when the state was entered
   * @param reason why it is in that state: one line of text
   * @param restartCounter the last restart that was carried out: no process was started before it
   * @param purgeCounter the last purge that was carried out
   * @param version the version that the processes are of; while another one is prepared, not the
   *     one of the spec
   * @param replacement the replacement of its release that is in progress
   * @param start what the node has granted to it
   * @param failed the version of the spec, if it has failed and the former one runs again
   * @param error why it does not do what its spec asks for, and whether it is tried again; absent
   *     while nothing has failed
   */
  public record Status(
      long observedGeneration,
      State state,
      int desired,
      int running,
      long restarts,
      Instant since,
      String reason,
      List<Condition> conditions,
      Optional<Long> restartCounter,
      Optional<Long> purgeCounter,
      Optional<String> version,
      Optional<Replacement> replacement,
      Optional<StartGrant> start,
      Optional<FailedVersion> failed,
      Optional<InstanceError> error)
      implements Counted {
    public Status {
      conditions = List.copyOf(conditions);
    }

    /** The state of an instance that never had a command, a version or a release. */
    public Status(
        long observedGeneration,
        State state,
        int desired,
        int running,
        long restarts,
        Instant since,
        String reason,
        List<Condition> conditions) {
      this(
          observedGeneration,
          state,
          desired,
          running,
          restarts,
          since,
          reason,
          conditions,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** A copy with other counters. */
    public Status withCounters(Optional<Long> restart, Optional<Long> purge) {
      return new Status(
          observedGeneration,
          state,
          desired,
          running,
          restarts,
          since,
          reason,
          conditions,
          restart,
          purge,
          version,
          replacement,
          start,
          failed,
          error);
    }

    /** A copy with another replacement, and another version that has failed. */
    public Status with(Optional<Replacement> other, Optional<FailedVersion> failure) {
      return with(conditions, other, start, failure);
    }

    /** A copy with other conditions and another grant. */
    public Status admitted(List<Condition> others, Optional<StartGrant> other) {
      return with(others, replacement, other, failed);
    }

    private Status with(
        List<Condition> conditions,
        Optional<Replacement> replacement,
        Optional<StartGrant> start,
        Optional<FailedVersion> failed) {
      return new Status(
          observedGeneration,
          state,
          desired,
          running,
          restarts,
          since,
          reason,
          conditions,
          restartCounter,
          purgeCounter,
          version,
          replacement,
          start,
          failed,
          error);
    }

    /** A copy with another error. */
    public Status withError(Optional<InstanceError> other) {
      return new Status(
          observedGeneration,
          state,
          desired,
          running,
          restarts,
          since,
          reason,
          conditions,
          restartCounter,
          purgeCounter,
          version,
          replacement,
          start,
          failed,
          other);
    }

    @Override
    public Map<String, Long> counters() {
      return RoleInstance.counters(restartCounter, purgeCounter);
    }
  }

  /** The phases of a replacement in their order. Each is durable before its first action. */
  public enum Phase {
    /**
     * The new release is downloaded and unpacked; the processes of the old one run. If the new one
     * is only to be verified before they stop, it is unpacked in this phase a second time, after
     * {@code STOP}.
     */
    PREPARE,
    /** The processes of the old release are stopped. */
    STOP,
    /** No process runs; the files of the new version are rendered and switched. */
    SWITCH,
    /** The processes of the new release are started; the old release is kept until they run. */
    START
  }

  /**
   * The replacement of a release by another one.
   *
   * @param phase what is being done
   * @param from name of the {@link DeploymentRef} of the old release, if there was one
   * @param to name of that of the new release, if there is one
   * @param down whether no process runs while the new release is prepared, since the files of the
   *     old version were switched already, or since the old release is removed before
   * @param began when it began
   * @param former the files to which the node goes back if the new version fails; absent before
   *     they are switched, or if it does not go back
   * @param back whether it is the way back, after the new version has failed
   */
  public record Replacement(
      Phase phase,
      Optional<String> from,
      Optional<String> to,
      boolean down,
      Instant began,
      Optional<TemplateOutput.Next> former,
      boolean back) {
    /** A replacement that has not switched any files. */
    public Replacement(
        Phase phase, Optional<String> from, Optional<String> to, boolean down, Instant began) {
      this(phase, from, to, down, began, Optional.empty(), false);
    }

    /** The same in another phase. */
    public Replacement in(Phase next) {
      return new Replacement(next, from, to, down, began, former, back);
    }

    /** The same with other files to go back to. */
    public Replacement withFormer(Optional<TemplateOutput.Next> other) {
      return new Replacement(phase, from, to, down, began, other, back);
    }

    /** Whether the processes of the instance are stopped, or being stopped. */
    public boolean stops() {
      return phase == Phase.STOP || phase == Phase.SWITCH || preparesDown();
    }

    /** Whether a release is prepared while no process runs, nor will be started before the end. */
    public boolean preparesDown() {
      return phase == Phase.PREPARE && down;
    }
  }

  private RoleInstance() {}
}
