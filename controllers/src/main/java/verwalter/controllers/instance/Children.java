package verwalter.controllers.instance;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.service.ServiceReleases;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * The objects that belong to a role instance, as read from the store.
 *
 * @param groups those of this role on this node
 * @param foreign the groups of the sandboxes this role renders that belong to other roles
 * @param releases those of this role on this node
 */
record Children(
    Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output,
    List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups,
    List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> foreign,
    ReleaseRefs releases) {

  static Children of(ObjectStore store, Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var output = store.get(TemplateOutput.KIND, instance.name());
    var role = instance.spec().role();
    var groups = new TreeMap<String, Resource<ProcessGroup.Spec, ProcessGroup.Status>>();
    store.list(ProcessGroup.KIND, new Selection.Role(role)).stream()
        .filter(group -> group.spec().node().equals(instance.spec().node()))
        .forEach(group -> groups.put(group.name(), group));
    // A group with a rendered name may belong to another role.
    output.stream()
        .flatMap(each -> each.status().stream())
        .flatMap(status -> status.processes().stream())
        .map(file -> ProcessGroup.name(file.sandbox(), instance.spec().node()))
        .flatMap(name -> store.get(ProcessGroup.KIND, name).stream())
        .forEach(group -> groups.put(group.name(), group));
    var byRole =
        groups.values().stream()
            .collect(Collectors.partitioningBy(group -> group.spec().role().equals(role)));
    var refs =
        store.list(DeploymentRef.KIND, new Selection.Role(role)).stream()
            .filter(ref -> ref.spec().node().equals(instance.spec().node()))
            .toList();
    return new Children(
        output,
        byRole.getOrDefault(true, List.of()),
        byRole.getOrDefault(false, List.of()),
        new ReleaseRefs(refs));
  }

  Children {
    groups = List.copyOf(groups);
    foreign = List.copyOf(foreign);
  }

  /** The name of the release of the files in place. */
  Optional<String> usedRelease() {
    return output
        .map(Resource::spec)
        .flatMap(TemplateOutput.Spec::release)
        .map(TemplateOutput.UsedRelease::ref);
  }

  /** The releases of the processes of a service that are in place, by version. */
  Map<String, ServiceReleases.Place> usedPlaces() {
    return output.map(it -> ServiceReleases.of(it.spec().variables())).orElse(Map.of());
  }

  /** The refs of the releases of the processes of a service that are in place. */
  Stream<Resource<DeploymentRef.Spec, DeploymentRef.Status>> refsInPlace() {
    var keys = usedPlaces().values().stream().map(ServiceReleases.Place::key).toList();
    return releases.refs().stream().filter(ref -> keys.contains(DeploymentRef.key(ref.spec())));
  }

  /** Whether the processes in place use all releases that the spec of a service asks for. */
  boolean usesReleasesOf(RoleInstance.Spec instance) {
    var keys = usedPlaces().values().stream().map(ServiceReleases.Place::key).toList();
    return ReleaseRefs.ofService(instance).values().stream()
        .map(DeploymentRef::key)
        .allMatch(keys::contains);
  }

  /** The version of the files in place, if it has a name. */
  Optional<String> usedVersion() {
    return output
        .map(Resource::spec)
        .map(TemplateOutput.Spec::present)
        .flatMap(TemplateOutput.Next::version);
  }

  /** Whether the last successful rendering has a process to run. */
  boolean rendersProcesses() {
    return output.flatMap(Resource::status).stream()
        .flatMap(status -> status.processes().stream())
        .flatMap(file -> file.processes().values().stream())
        .anyMatch(process -> process.daemons() > 0);
  }

  /**
   * Every process file of the last successful rendering, with the restart counter of the instance.
   * While a release is being replaced, or while the instance may not start, no process of it runs.
   */
  List<TemplateOutput.ProcessFile> processFiles(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    boolean stops =
        InstancePlan.stops(instance) || (StartGate.isClosed(instance) && desired() == 0);
    var counter =
        StagedChanges.holdRestart(instance, this)
            ? lastRestart()
            : instance.spec().restartCounter();
    return output.flatMap(Resource::status).stream()
        .flatMap(status -> status.processes().stream())
        .map(file -> restarted(file, counter))
        .map(file -> stops ? stopped(file) : file)
        .toList();
  }

  /** The restart that the supervisor was asked for last. */
  private Optional<Long> lastRestart() {
    return groups.stream()
        .flatMap(group -> group.spec().processes().values().stream())
        .flatMap(process -> process.restartCounter().stream())
        .max(Comparator.naturalOrder());
  }

  private static TemplateOutput.ProcessFile stopped(TemplateOutput.ProcessFile file) {
    return new TemplateOutput.ProcessFile(file.sandbox(), stopped(file.processes()));
  }

  /** The same processes, none of which runs. */
  static Map<String, ProcessSpec> stopped(Map<String, ProcessSpec> processes) {
    var stopped = new TreeMap<String, ProcessSpec>();
    processes.forEach((name, spec) -> stopped.put(name, spec.stopped()));
    return stopped;
  }

  /**
   * Whether the supervisor has confirmed that no process runs and none will be started. What it has
   * not reported may run, also if its group is missing.
   */
  boolean areDown(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return areHandedOver(instance) && groups.stream().allMatch(Children::isStopped);
  }

  /**
   * Whether each sandbox of the last rendering has a group without processes, and the supervisor
   * has confirmed that none runs. A group that is missing may have processes.
   */
  boolean areHalted() {
    var sandboxes =
        Stream.concat(groups.stream(), foreign.stream())
            .map(group -> group.spec().sandbox())
            .toList();
    return groups.stream().allMatch(group -> isReceived(group) && isStopped(group))
        && output.flatMap(Resource::status).stream()
            .flatMap(status -> status.processes().stream())
            .allMatch(file -> sandboxes.contains(file.sandbox()));
  }

  private static boolean isStopped(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group.spec().processes().values().stream().allMatch(it -> it.daemons() == 0)
        && group.status().filter(Children::isDown).isPresent();
  }

  /** Whether the supervisor has reported that no process runs, and none is about to. */
  boolean waitLong(Resource<RoleInstance.Spec, RoleInstance.Status> instance, Instant now) {
    return areHandedOver(instance)
        && slots().stream().allMatch(slot -> StagedChanges.waitsLong(slot, now));
  }

  private static boolean isDown(ProcessGroup.Status status) {
    return status.processes().isEmpty() && status.commands().isEmpty();
  }

  /**
   * Whether the supervisor refuses to stop the processes of a group, since its entries are not
   * allowed any longer. It stops them if the group is removed.
   */
  static boolean refusesToStop(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return isReceived(group)
        && group
            .status()
            .filter(status -> !isDown(status))
            .flatMap(it -> Condition.find(it.conditions(), ConditionType.ACCEPTED))
            .filter(Condition::isFalse)
            .isPresent();
  }

  /**
   * Whether the supervisor has received all groups, among them one for each process file of the
   * last rendering whose sandbox belongs to this role.
   */
  boolean areHandedOver(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var others = foreign.stream().map(group -> group.spec().sandbox()).toList();
    return groups.stream().allMatch(Children::isReceived)
        && processFiles(instance).stream()
            .filter(file -> !others.contains(file.sandbox()))
            .allMatch(
                file ->
                    groups.stream()
                        .filter(group -> group.spec().sandbox().equals(file.sandbox()))
                        .anyMatch(group -> group.spec().processes().equals(file.processes())));
  }

  /** Whether processes are being stopped, which may be of a former release. */
  boolean isStopping() {
    return slots().stream().anyMatch(slot -> slot.state() == ProcessGroup.State.STOPPING);
  }

  private static boolean isReceived(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group.status().map(ProcessGroup.Status::observedGeneration).orElse(0L)
        == group.meta().generation();
  }

  private static TemplateOutput.ProcessFile restarted(
      TemplateOutput.ProcessFile file, Optional<Long> counter) {
    var processes = new TreeMap<String, ProcessSpec>();
    file.processes().forEach((name, spec) -> processes.put(name, spec.withRestartCounter(counter)));
    return new TemplateOutput.ProcessFile(file.sandbox(), processes);
  }

  /**
   * The last restart after which every process was started. Empty if no restart was requested, or
   * if the supervisor has not received the newest request yet.
   */
  Optional<Long> restartCounter(RoleInstance.Spec instance) {
    boolean received = groups.stream().allMatch(Children::isReceived);
    var wanted =
        groups.stream()
            .flatMap(group -> group.spec().processes().values().stream())
            .map(ProcessSpec::restartCounter)
            .allMatch(instance.restartCounter()::equals);
    return received && wanted
        ? slots().stream()
            .map(ProcessGroup.Slot::restartCounter)
            .min(Comparator.comparing(counter -> counter.orElse(Long.MIN_VALUE)))
            .orElse(instance.restartCounter())
        : Optional.empty();
  }

  /**
   * Whether the last rendering succeeded and was made from the instance's present spec. What comes
   * next does not matter while it only waits.
   */
  boolean rendered(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var wanted = InstancePlan.output(instance, this);
    boolean waits = StagedChanges.of(instance, this).isPresent();
    return output
        .filter(
            each ->
                waits
                    ? wanted.filter(it -> it.present().equals(each.spec().present())).isPresent()
                    : wanted.equals(Optional.of(each.spec())))
        .flatMap(
            each ->
                each.status()
                    .filter(
                        status -> waits || status.observedGeneration() == each.meta().generation()))
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.RENDERED))
        .filter(Condition::isTrue)
        .isPresent();
  }

  /** The condition about the files of the wanted release; empty until they were checked. */
  Optional<Condition> checkOfNext(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var next = InstancePlan.next(instance, this);
    return output
        .filter(each -> next.isPresent() && each.spec().next().equals(next))
        .flatMap(
            each ->
                each.status()
                    .flatMap(it -> Condition.find(it.conditions(), ConditionType.CHECKED))
                    .filter(it -> it.observedGeneration() == each.meta().generation()));
  }

  /** Whether the wanted release is complete, and its files were rendered and checked. */
  boolean isNextChecked(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return checkOfNext(instance).filter(Condition::isTrue).isPresent();
  }

  /** The message about the pinned release, if there is one. */
  Optional<String> rolledBack() {
    return output
        .flatMap(Resource::status)
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.RENDERED))
        .filter(condition -> condition.hasReason(Reason.ROLLED_BACK))
        .map(Condition::message);
  }

  /** Every process slot of every group. */
  List<ProcessGroup.Slot> slots() {
    return groups.stream()
        .flatMap(group -> group.status().stream())
        .flatMap(status -> status.processes().stream())
        .toList();
  }

  int desired() {
    return groups.stream()
        .flatMap(group -> group.spec().processes().values().stream())
        .mapToInt(ProcessSpec::daemons)
        .sum();
  }

  int running() {
    return groups.stream()
        .flatMap(group -> group.status().stream())
        .mapToInt(ProcessGroup.Status::running)
        .sum();
  }
}
