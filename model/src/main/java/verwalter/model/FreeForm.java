package verwalter.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Finds the free-form mappings in specs: what schedulers and sysops chose, of any size. */
public final class FreeForm {
  /**
   * A spec with each of its free-form mappings replaced by what {@code each} gives for it: the data
   * of a schedule, and the variables of a role wherever an object has them.
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
      return (S) new NodeSchedule.Spec(share.schedule(), roles);
    }
    if (spec instanceof RoleInstance.Spec instance) {
      return (S)
          new RoleInstance.Spec(
              instance.role(),
              instance.node(),
              instance.template(),
              instance.version(),
              each.apply(instance.variables()));
    }
    if (spec instanceof TemplateOutput.Spec output) {
      return (S)
          new TemplateOutput.Spec(
              output.role(), output.node(), output.template(), each.apply(output.variables()));
    }
    return spec;
  }

  private FreeForm() {}
}
