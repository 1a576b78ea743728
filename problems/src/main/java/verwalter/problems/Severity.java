package verwalter.problems;

import java.util.Locale;

/** The weight of a problem, the heaviest first. */
public enum Severity {
  /** Nothing can change, or a whole node does not work or is unknown. */
  CRITICAL,
  /** A role, an instance or a process does not work, or does not take a change. */
  ERROR,
  /** Everything works, but an operator should know. */
  WARNING;

  /** The lower-case name, as programs read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
