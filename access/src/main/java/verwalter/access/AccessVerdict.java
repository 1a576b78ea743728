package verwalter.access;

/**
 * The answer to an operation.
 *
 * @param allowed whether the caller may do it
 * @param reason why, for people
 */
public record AccessVerdict(boolean allowed, String reason) {
  static AccessVerdict allow(String reason) {
    return new AccessVerdict(true, reason);
  }

  static AccessVerdict refuse(String reason) {
    return new AccessVerdict(false, reason);
  }
}
