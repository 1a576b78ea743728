package verwalter.model;

/**
 * A spec with commands besides the desired state. A command is a counter that operators raise. It
 * was carried out if the status has the same number, so a command that is sent twice is carried out
 * once.
 *
 * @param <S> the spec
 */
public interface Commanded<S extends Commanded<S>> extends Counted {
  /** A copy of this spec with the counters of another one. */
  S withCountersOf(S other);
}
