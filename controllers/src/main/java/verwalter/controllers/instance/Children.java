package verwalter.controllers.instance;

import java.util.List;
import java.util.Optional;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;

/**
 * The objects a role instance is made of, as the store shows them.
 *
 * @param groups those of this role on this node
 * @param foreign the groups of the sandboxes this role renders that belong to other roles
 */
record Children(
    Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output,
    List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups,
    List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> foreign) {

  static Children of(ObjectStore store, Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var output = store.get(TemplateOutput.KIND, instance.name());
    var here =
        store.list(ProcessGroup.KIND).stream()
            .filter(group -> group.spec().node().equals(instance.spec().node()))
            .toList();
    var role = instance.spec().role();
    var sandboxes =
        output.stream()
            .flatMap(each -> each.status().stream())
            .flatMap(status -> status.processes().stream())
            .map(TemplateOutput.ProcessFile::sandbox)
            .toList();
    return new Children(
        output,
        here.stream().filter(group -> group.spec().role().equals(role)).toList(),
        here.stream()
            .filter(group -> !group.spec().role().equals(role))
            .filter(group -> sandboxes.contains(group.spec().sandbox()))
            .toList());
  }

  Children {
    groups = List.copyOf(groups);
    foreign = List.copyOf(foreign);
  }

  /** Every process file of the last successful rendering. */
  List<TemplateOutput.ProcessFile> processFiles() {
    return output
        .flatMap(Resource::status)
        .map(TemplateOutput.Status::processes)
        .orElseGet(List::of);
  }

  /** Whether the last rendering succeeded and was one of what the instance asks for now. */
  boolean rendered(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return output
        .filter(each -> each.spec().equals(InstancePlan.outputSpec(instance.spec())))
        .filter(
            each ->
                each.status()
                    .filter(status -> status.observedGeneration() == each.meta().generation())
                    .flatMap(status -> Condition.find(status.conditions(), ConditionType.RENDERED))
                    .filter(Condition::isTrue)
                    .isPresent())
        .isPresent();
  }

  /** What is said of the release that is held in place, if one is. */
  Optional<String> rolledBack() {
    return output
        .flatMap(Resource::status)
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.RENDERED))
        .filter(condition -> condition.because(Reason.ROLLED_BACK))
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
