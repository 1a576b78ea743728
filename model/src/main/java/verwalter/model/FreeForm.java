package verwalter.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Finds the free-form mappings in specs: data of schedulers and operators, of any size. */
public final class FreeForm {
  /**
   * Returns a spec in which {@code each} was applied to each free-form mapping: the data of a
   * schedule, and the variables of a role.
   */
  @SuppressWarnings("unchecked") // a spec is replaced by one of its own class
  public static <S> S replace(S spec, UnaryOperator<Map<String, Object>> each) {
    if (spec instanceof Schedule.Spec schedule) {
      return (S)
          new Schedule.Spec(
              each.apply(schedule.data()),
              schedule.hash(),
              schedule.parents(),
              schedule.origin(),
              schedule.timestamp());
    }
    if (spec instanceof NodeSchedule.Spec share) {
      var roles = new LinkedHashMap<String, Map<String, Object>>();
      share.roles().forEach((role, variables) -> roles.put(role, each.apply(variables)));
      return (S) new NodeSchedule.Spec(share.schedule(), roles, share.versions());
    }
    if (spec instanceof RoleInstance.Spec instance) {
      return (S) instance.withVariables(each.apply(instance.variables()));
    }
    if (spec instanceof TemplateOutput.Spec output) {
      return (S)
          new TemplateOutput.Spec(
              output.role(),
              output.node(),
              output.template(),
              each.apply(output.variables()),
              output.release(),
              output
                  .next()
                  .map(
                      it ->
                          new TemplateOutput.Next(
                              it.template(), each.apply(it.variables()), it.release())));
    }
    return spec;
  }

  private FreeForm() {}
}
