package verwalter.model;

import java.util.List;
import java.util.Optional;

/** Every kind of object there is. */
public final class Kinds {
  /** All kinds, in the order of the way of a schedule. */
  public static final List<Kind<?, ?>> ALL =
      List.of(
          Node.KIND,
          RoleConfig.KIND,
          Schedule.KIND,
          NodeSchedule.KIND,
          RoleInstance.KIND,
          TemplateOutput.KIND,
          ProcessGroup.KIND,
          Action.KIND,
          Event.KIND);

  /** The kind with this exact name, as {@code kind:} fields give it. */
  public static Optional<Kind<?, ?>> named(String name) {
    return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }

  /** The kind an operator means by a name, plural or short name, in any case. */
  public static Optional<Kind<?, ?>> meant(String word) {
    return ALL.stream().filter(kind -> kind.answersTo(word)).findFirst();
  }

  private Kinds() {}
}
