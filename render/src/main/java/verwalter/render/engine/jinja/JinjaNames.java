package verwalter.render.engine.jinja;

import com.hubspot.jinjava.el.ext.ExtendedParser;

/** The names that jinjava keeps for itself, which templates cannot use. */
final class JinjaNames {
  /** Whether a variable of this name may be one of jinjava. */
  static boolean isInternal(String variable) {
    return variable.startsWith("__") || isInternalKey(variable);
  }

  private static boolean isInternalKey(String key) {
    return key.equals(ExtendedParser.INTERPRETER)
        || key.startsWith(ExtendedParser.FILTER_PREFIX)
        || key.startsWith(ExtendedParser.EXPTEST_PREFIX);
  }

  /** Refuses a key that jinjava looks up elsewhere than in the value. */
  static void refuseInternalKey(String key) {
    if (isInternalKey(key)) {
      throw new JinjaError("the name `" + key + "` is reserved");
    }
  }

  private JinjaNames() {}
}
