package verwalter.controllers.template;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** Computes the {@link Needs} of a node from the objects in the store. */
final class ObservedNeeds {
  /**
   * Computes the present state.
   *
   * @param known the roles that each role needs
   * @param current whether the newest templates of an output were applied
   */
  static Needs of(
      ObjectStore store,
      String node,
      Map<String, List<String>> known,
      Predicate<Resource<TemplateOutput.Spec, TemplateOutput.Status>> current) {
    var present = new HashSet<String>();
    var done = new HashSet<String>();
    for (var output : store.list(TemplateOutput.KIND, new Selection.Node(node))) {
      if (!output.meta().deleting()) {
        present.add(output.spec().role());
        if (current.test(output) && rendered(output) && runs(store, output)) {
          done.add(output.spec().role());
        }
      }
    }
    return new Needs(done, present, known);
  }

  private static boolean rendered(Resource<TemplateOutput.Spec, TemplateOutput.Status> output) {
    return output
        .status()
        .filter(status -> status.observedGeneration() == output.meta().generation())
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.RENDERED))
        .filter(Condition::isTrue)
        .isPresent();
  }

  /** Whether the process groups match the process files, and all processes run. */
  private static boolean runs(
      ObjectStore store, Resource<TemplateOutput.Spec, TemplateOutput.Status> output) {
    var spec = output.spec();
    return store
            .get(RoleInstance.KIND, output.name())
            .filter(instance -> instance.spec().variables().equals(spec.variables()))
            .filter(instance -> instance.spec().template().equals(spec.template()))
            .filter(ObservedNeeds::settled)
            .isPresent()
        && output.status().map(TemplateOutput.Status::processes).orElse(List.of()).stream()
            .allMatch(file -> handedOver(store, spec.node(), file));
  }

  private static boolean settled(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .filter(status -> status.observedGeneration() == instance.meta().generation())
        .filter(
            status ->
                status.state() == RoleInstance.State.RUNNING
                    || status.state() == RoleInstance.State.HALTED)
        .isPresent();
  }

  private static boolean handedOver(
      ObjectStore store, String node, TemplateOutput.ProcessFile file) {
    return store
        .get(ProcessGroup.KIND, ProcessGroup.name(file.sandbox(), node))
        .filter(group -> group.spec().processes().equals(file.processes()))
        .filter(
            group ->
                group
                    .status()
                    .filter(status -> status.observedGeneration() == group.meta().generation())
                    .filter(status -> status.running() >= status.desired())
                    .isPresent())
        .isPresent();
  }

  private ObservedNeeds() {}
}
