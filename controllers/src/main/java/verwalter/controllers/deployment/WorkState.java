package verwalter.controllers.deployment;

/**
 * The state of a work as its members see it.
 *
 * @param <V> the result of the work
 */
sealed interface WorkState<V> {
  /** Other works are before it. */
  record Waiting<V>() implements WorkState<V> {}

  /** A worker does it. */
  record Running<V>(ByteProgress progress) implements WorkState<V> {}

  /** It has succeeded. */
  record Succeeded<V>(V result) implements WorkState<V> {}

  /** It has failed. */
  record Failed<V>(ReleaseFailure failure) implements WorkState<V> {}
}
