package verwalter.controllers.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.model.Artifact;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * Computes the writes that rename the node of a machine. Pure, over a store that does not change
 * meanwhile.
 *
 * <p>Each step is one transaction. The next step is derived from the objects in the store, so that
 * an agent that is restarted between two steps continues with the next one:
 *
 * <ol>
 *   <li>The Node is created under the new name, with the spec, the labels and the status of the old
 *       one; an annotation keeps the old name. This is the only write to an object of the cluster.
 *   <li>Every role instance, template output, process group, deployment ref and artifact is copied
 *       to the new name with its status. The originals lose their finalizers, so that no controller
 *       cleans up for them.
 *   <li>The originals are removed. Those that have an owner, which version 0.1.0 gave them, are
 *       removed with it.
 * </ol>
 *
 * <p>The leader removes the old Node: see {@link FormerNodes}.
 */
final class Renaming {
  private final ObjectStore store;
  private final NodeReconciler.Machine machine;

  private Renaming(ObjectStore store, NodeReconciler.Machine machine) {
    this.store = store;
    this.machine = machine;
  }

  /** The write that names the Node; empty if the machine has no Node under another name. */
  static Optional<Write> ofNode(ObjectStore store, NodeReconciler.Machine machine) {
    var renaming = new Renaming(store, machine);
    return renaming.formerNode().map(renaming::begin);
  }

  /**
   * The write that adds a name to the former names of the machine's Node.
   *
   * @param node the Node of the machine
   */
  static Write formerly(String name, Resource<Node.Spec, Node.Status> node) {
    var names = new LinkedHashSet<>(Node.formerNames(node));
    names.add(name);
    return new Write.Put(node.withMeta(node.meta().withAnnotations(with(node.meta(), names))));
  }

  /** The next step for the node's objects; empty if all of them have the machine's name. */
  static List<Write> ofObjects(ObjectStore store, NodeReconciler.Machine machine) {
    return new Renaming(store, machine).finish();
  }

  /** A Node of this machine under another name that the present Node does not list yet. */
  private Optional<Resource<Node.Spec, Node.Status>> formerNode() {
    var known = formerNames();
    return store.list(Node.KIND).stream()
        .filter(node -> !node.name().equals(machine.name()) && !known.contains(node.name()))
        .filter(node -> Node.machineId(node).filter(machine.id()::equals).isPresent())
        .findFirst();
  }

  private List<String> formerNames() {
    return store.get(Node.KIND, machine.name()).map(Node::formerNames).orElseGet(List::of);
  }

  private Write begin(Resource<Node.Spec, Node.Status> former) {
    var names = new LinkedHashSet<String>();
    names.add(former.name());
    names.addAll(formerNames());
    names.addAll(Node.formerNames(former));
    names.remove(machine.name());
    var present = store.get(Node.KIND, machine.name());
    if (present.isPresent()) {
      var annotated = present.get().meta().withAnnotations(with(present.get().meta(), names));
      return new Write.Put(present.get().withMeta(annotated));
    }
    var meta =
        Metadata.named(machine.name())
            .withLabels(former.meta().labels())
            .withAnnotations(with(former.meta(), names));
    return new Write.Put(
        new Resource<>(Node.KIND, meta, former.spec(), former.status().map(this::described)));
  }

  /** The status of the old Node with the present facts. The leader writes the condition Ready. */
  private Node.Status described(Node.Status before) {
    return new Node.Status(
        1,
        machine.addresses(),
        machine.facts(),
        machine.capacity(),
        before.schedule(),
        before.roles(),
        before.conditions().stream()
            .filter(
                each -> !each.is(ConditionType.READY) && !each.is(ConditionType.CONFIG_IN_FORCE))
            .toList());
  }

  private static Map<String, String> with(Metadata meta, Set<String> names) {
    var annotations = new LinkedHashMap<>(meta.annotations());
    annotations.put(Node.FORMER_NAMES, String.join(",", names));
    return annotations;
  }

  private List<Write> copies(String former) {
    var writes = new ArrayList<Write>();
    var here = new Selection.Node(former);
    store.list(RoleInstance.KIND, here).forEach(each -> move(each, instance(each), writes));
    store.list(TemplateOutput.KIND, here).forEach(each -> move(each, output(each), writes));
    store.list(ProcessGroup.KIND, here).forEach(each -> move(each, group(each), writes));
    store.list(DeploymentRef.KIND, here).forEach(each -> move(each, ref(each), writes));
    store.list(Artifact.KIND, here).forEach(each -> move(each, artifact(each), writes));
    return writes;
  }

  private <S, T> void move(Resource<S, T> old, Resource<S, T> copy, List<Write> writes) {
    if (store.get(old.type(), copy.name()).isEmpty()) {
      writes.add(new Write.Put(copy));
    }
    if (!old.meta().finalizers().isEmpty()) {
      writes.add(new Write.Put(old.withMeta(old.meta().withFinalizers(List.of()))));
    } else if (old.meta().owners().isEmpty()) {
      writes.add(new Write.Remove(old));
    }
  }

  private Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      Resource<RoleInstance.Spec, RoleInstance.Status> old) {
    var spec = old.spec();
    var refs = new RenamedRefs(spec.node(), machine.name());
    var status =
        old.status()
            .map(
                it ->
                    new RoleInstance.Status(
                        generation(old, it.observedGeneration()),
                        it.state(),
                        it.desired(),
                        it.running(),
                        it.restarts(),
                        it.since(),
                        it.reason(),
                        it.conditions(),
                        it.restartCounter(),
                        it.purgeCounter(),
                        it.version(),
                        it.replacement().map(refs::replacement),
                        it.start(),
                        it.failed().map(refs::failed),
                        it.error()));
    return new Resource<>(
        RoleInstance.KIND,
        meta(old, RoleInstance.name(spec.role(), machine.name()), RoleInstance.FINALIZER),
        spec.withNode(machine.name()),
        status);
  }

  private Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      Resource<TemplateOutput.Spec, TemplateOutput.Status> old) {
    var spec = old.spec();
    var refs = new RenamedRefs(spec.node(), machine.name());
    var status =
        old.status()
            .map(
                it ->
                    new TemplateOutput.Status(
                        generation(old, it.observedGeneration()),
                        it.deployment(),
                        it.input(),
                        it.files(),
                        it.processes(),
                        it.releases(),
                        it.held(),
                        it.drift(),
                        it.conditions()));
    return new Resource<>(
        TemplateOutput.KIND,
        meta(old, RoleInstance.name(spec.role(), machine.name()), TemplateOutput.FINALIZER),
        new TemplateOutput.Spec(
            spec.role(),
            machine.name(),
            spec.template(),
            spec.variables(),
            spec.release().map(refs::release),
            spec.next().map(refs::files)),
        status);
  }

  private Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> old) {
    var spec = old.spec();
    var status =
        old.status()
            .map(
                it ->
                    new ProcessGroup.Status(
                        generation(old, it.observedGeneration()),
                        it.desired(),
                        it.running(),
                        it.processes(),
                        it.conditions(),
                        it.boot(),
                        it.commands()));
    return new Resource<>(
        ProcessGroup.KIND,
        meta(old, ProcessGroup.name(spec.sandbox(), machine.name()), ProcessGroup.FINALIZER),
        new ProcessGroup.Spec(spec.role(), machine.name(), spec.sandbox(), spec.processes()),
        status);
  }

  /** The release stays where it is: its key does not contain the node. */
  private Resource<DeploymentRef.Spec, DeploymentRef.Status> ref(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> old) {
    var spec = old.spec().on(machine.name());
    return new Resource<>(
        DeploymentRef.KIND,
        meta(old, DeploymentRef.name(spec), DeploymentRef.FINALIZER),
        spec,
        old.status().map(it -> it.observing(generation(old, it.observedGeneration()))));
  }

  private Resource<Artifact.Spec, Artifact.Status> artifact(
      Resource<Artifact.Spec, Artifact.Status> old) {
    var digest = old.spec().digest();
    return new Resource<>(
        Artifact.KIND,
        meta(old, Artifact.name(digest, machine.name()), Artifact.FINALIZER),
        new Artifact.Spec(machine.name(), digest),
        Optional.empty()); // its users are counted anew
  }

  /** Metadata of a copy. */
  private Metadata meta(Resource<?, ?> old, String name, String finalizer) {
    var labels = new LinkedHashMap<>(old.meta().labels());
    labels.replace("node", machine.name());
    return Metadata.named(name)
        .withLabels(labels)
        .withAnnotations(old.meta().annotations())
        .withFinalizers(List.of(finalizer));
  }

  /**
   * Converts an observed generation: a copy begins at generation 1, which corresponds to the newest
   * generation of the original.
   */
  private static long generation(Resource<?, ?> old, long observed) {
    return observed == old.meta().generation() ? 1 : 0;
  }

  private List<Write> finish() {
    var writes = new ArrayList<Write>();
    for (var former : formerNames()) {
      var owner = store.get(Node.KIND, former).flatMap(Node::machineId);
      if (owner.filter(id -> !id.equals(machine.id())).isEmpty()) {
        writes.addAll(copies(former));
      }
    }
    return writes;
  }
}
