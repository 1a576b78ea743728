package verwalter.e2e.simulation;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.Kind;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.Selection;
import verwalter.supervisor.testkit.FakeMachine.FakeProcess;

/**
 * The objects, processes and files of one machine at one moment.
 *
 * @param instances by role, as the outputs
 * @param refs by the name of the release on the disk
 * @param groups by sandbox
 * @param artifacts by digest
 * @param processes by slot, also those that are being stopped
 * @param wanted the process files by sandbox
 * @param releases the digests of all complete releases, by key
 * @param images what the files of each role name, by role
 */
record MachineView(
    long revision,
    Optional<NodeSchedule.Spec> share,
    Map<String, Resource<RoleInstance.Spec, RoleInstance.Status>> instances,
    Map<String, Resource<TemplateOutput.Spec, TemplateOutput.Status>> outputs,
    Map<String, Resource<DeploymentRef.Spec, DeploymentRef.Status>> refs,
    Map<String, Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups,
    Map<String, Resource<Artifact.Spec, Artifact.Status>> artifacts,
    Map<String, FakeProcess> processes,
    Map<String, Map<String, ProcessSpec>> wanted,
    Map<String, String> releases,
    Set<String> archives,
    Map<String, String> images) {
  private static final String FILES = "/files";

  /** What is there now; the objects are those of {@code last} if the store has not changed. */
  static MachineView of(SimulatedNode node, Optional<MachineView> last) {
    var disk = node.releases.orElseThrow();
    long revision = node.memory.revision();
    var same = last.filter(it -> it.revision == revision);
    var images = new TreeMap<String, String>();
    node.files.images.forEach(
        (owner, image) -> images.put(owner.substring(0, owner.indexOf('@')), image));
    return new MachineView(
        revision,
        same.map(MachineView::share)
            .orElseGet(() -> node.memory.get(NodeSchedule.KIND, node.name).map(Resource::spec)),
        same.map(MachineView::instances)
            .orElseGet(() -> all(node, RoleInstance.KIND, it -> it.spec().role())),
        same.map(MachineView::outputs)
            .orElseGet(() -> all(node, TemplateOutput.KIND, it -> it.spec().role())),
        same.map(MachineView::refs)
            .orElseGet(() -> all(node, DeploymentRef.KIND, it -> DeploymentRef.key(it.spec()))),
        same.map(MachineView::groups)
            .orElseGet(() -> all(node, ProcessGroup.KIND, it -> it.spec().sandbox())),
        same.map(MachineView::artifacts)
            .orElseGet(() -> all(node, Artifact.KIND, it -> it.spec().digest())),
        new TreeMap<>(node.machine.processes()),
        node.machine.files(),
        new TreeMap<>(disk.releases),
        Set.copyOf(disk.archives),
        images);
  }

  private static <S, T> Map<String, Resource<S, T>> all(
      SimulatedNode node, Kind<S, T> kind, Function<Resource<S, T>, String> key) {
    var all = new TreeMap<String, Resource<S, T>>();
    for (var each : node.memory.list(kind, new Selection.Node(node.name))) {
      if (all.put(key.apply(each), each) != null) {
        throw new AssertionError("I1: two objects " + kind.name() + " " + key.apply(each));
      }
    }
    return all;
  }

  /** The role of a slot; a sandbox has the name of its role. */
  static String role(String slot) {
    return slot.substring(0, slot.indexOf('/'));
  }

  /** The key of the release that an image is of; empty for an image that the node has. */
  static Optional<String> key(String image) {
    return image.contains("@") && image.endsWith(FILES)
        ? Optional.of(image.substring(0, image.length() - FILES.length()))
        : Optional.empty();
  }

  /** The key of the release with the name of an object. */
  static String keyOfRef(String name) {
    return name.substring(0, name.lastIndexOf('@'));
  }

  /** The images of all processes of a role, and of those that the supervisor may start. */
  Set<String> images(String role) {
    var all = new LinkedHashSet<String>();
    processes.values().stream()
        .filter(it -> role(it.slot()).equals(role))
        .forEach(it -> all.add(it.image()));
    wanted.getOrDefault(role, Map.of()).values().stream()
        .filter(it -> it.daemons() > 0)
        .forEach(it -> all.add(it.program()));
    return all;
  }

  /** The names of all roles that there is anything of. */
  Set<String> roles() {
    var all = new LinkedHashSet<>(instances.keySet());
    all.addAll(outputs.keySet());
    all.addAll(wanted.keySet());
    processes.keySet().forEach(slot -> all.add(role(slot)));
    return all;
  }

  Optional<RoleInstance.Status> status(String role) {
    return Optional.ofNullable(instances.get(role)).flatMap(Resource::status);
  }

  Optional<RoleInstance.Replacement> replacement(String role) {
    return status(role).flatMap(RoleInstance.Status::replacement);
  }

  /** The key of the release of the files in place, by the template output. */
  Optional<String> used(String role) {
    return Optional.ofNullable(outputs.get(role))
        .flatMap(it -> it.spec().release())
        .map(it -> keyOfRef(it.ref()));
  }

  boolean isDeleting(String role) {
    var instance = instances.get(role);
    return instance != null && instance.meta().deleting();
  }

  /** Whether processes of the role are up, also those that are being stopped. */
  boolean isUp(String role) {
    return processes.keySet().stream().anyMatch(slot -> role(slot).equals(role));
  }
}
