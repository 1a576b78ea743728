package verwalter.model;

import java.util.Map;

/**
 * A part of an object with counters of commands: in the spec those wanted, in the status those
 * done.
 */
public interface Counted {
  /** The counters by the name of their field, without those that were never raised. */
  Map<String, Long> counters();
}
