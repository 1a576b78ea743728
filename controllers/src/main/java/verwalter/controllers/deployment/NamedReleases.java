package verwalter.controllers.deployment;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import verwalter.controllers.deployment.ReleaseFiles.Contents;
import verwalter.controllers.deployment.ReleaseFiles.Named;
import verwalter.model.DeploymentRef;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * Names the files that a node needs. Pure.
 *
 * <p>A ref needs the release with its key, and the archives with the digests of its spec and its
 * status. A release without a ref is needed as long as a process group or a template output of the
 * node names its directory, or the processes of a group are not known.
 *
 * @param isScheduled whether the node knows its share of the schedule
 * @param instances of the node
 * @param refs of the node
 * @param users the process groups and template outputs of the node
 * @param areProcessesKnown whether it is known what all process groups of the node run
 */
record NamedReleases(
    boolean isScheduled,
    List<Resource<RoleInstance.Spec, RoleInstance.Status>> instances,
    List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> refs,
    List<Resource<?, ?>> users,
    boolean areProcessesKnown) {
  /** Reads the objects of a node. */
  static NamedReleases of(ObjectStore store, String node) {
    var here = new Selection.Node(node);
    return new NamedReleases(
        store.get(NodeSchedule.KIND, node).isPresent(),
        store.list(RoleInstance.KIND, here),
        store.list(DeploymentRef.KIND, here),
        users(store, node),
        UnknownProcesses.on(store, node).isEmpty());
  }

  private static List<Resource<?, ?>> users(ObjectStore store, String node) {
    var here = new Selection.Node(node);
    var users = new ArrayList<Resource<?, ?>>();
    users.addAll(store.list(ProcessGroup.KIND, here));
    users.addAll(store.list(TemplateOutput.KIND, here));
    return users;
  }

  /** The object of the node that names the directory of a release; empty if there is none. */
  static Optional<ResourceKey> user(ObjectStore store, String node, String path) {
    return users(store, node).stream()
        .filter(it -> text(it).contains(written(path)))
        .<ResourceKey>map(Resource::key)
        .findFirst();
  }

  private static String text(Resource<?, ?> user) {
    return new String(Codec.json(user), StandardCharsets.UTF_8);
  }

  /**
   * What must stay; empty while that is not known. It is not known before the node has its share of
   * the schedule, and before each instance and each ref has been looked at, since an instance may
   * still create the refs that it needs.
   */
  Optional<Named> of(Contents disk) {
    boolean isKnown =
        isScheduled
            && instances.stream()
                .allMatch(
                    it -> isSeen(it, it.status().map(RoleInstance.Status::observedGeneration)))
            && refs.stream()
                .allMatch(
                    it -> isSeen(it, it.status().map(DeploymentRef.Status::observedGeneration)));
    return isKnown ? Optional.of(named(disk)) : Optional.empty();
  }

  private static boolean isSeen(Resource<?, ?> object, Optional<Long> observed) {
    return object.meta().deleting() || observed.equals(Optional.of(object.meta().generation()));
  }

  private Named named(Contents disk) {
    var keys = new HashSet<String>();
    var digests = new HashSet<String>();
    for (var ref : refs) {
      keys.add(DeploymentRef.key(ref.spec()));
      ref.spec().digest().ifPresent(digests::add);
      ref.status().flatMap(DeploymentRef.Status::resolvedDigest).ifPresent(digests::add);
    }
    keys.addAll(used(disk, keys));
    return new Named(keys, digests);
  }

  /** The keys of other releases whose directories somebody names or may use. */
  private List<String> used(Contents disk, Set<String> known) {
    var others = new TreeMap<>(disk.releases());
    others.keySet().removeAll(known);
    if (others.isEmpty() || !areProcessesKnown) {
      return List.copyOf(others.keySet());
    }
    var texts = users.stream().map(NamedReleases::text).toList();
    return others.entrySet().stream()
        .filter(other -> texts.stream().anyMatch(it -> it.contains(written(other.getValue()))))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The path as JSON has it within a text. */
  private static String written(String path) {
    var quoted = Json.canonical(path);
    return quoted.substring(1, quoted.length() - 1);
  }
}
