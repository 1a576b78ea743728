package verwalter.controllers.config;

import java.io.IOException;
import java.util.Map;

/** No directory of roles can be read. */
final class UnreadableConfig extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Map<String, String> reasons;

  /**
   * Creates it with the message of {@code cause}.
   *
   * @param reasons why each directory cannot be read, by its name
   */
  UnreadableConfig(Map<String, String> reasons, IOException cause) {
    super(cause.getMessage(), cause);
    this.reasons = Map.copyOf(reasons);
  }

  /** Why the directory cannot be read. */
  String reason(String directory) {
    return reasons.getOrDefault(directory, String.valueOf(getMessage()));
  }
}
