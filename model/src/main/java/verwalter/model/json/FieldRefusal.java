package verwalter.model.json;

import java.util.Optional;

/** A record refuses the value of one of its fields, or of a field inside of it. */
public final class FieldRefusal extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient FieldPath path;
  private final transient Optional<String> suggestion;

  /**
   * @param path of the value, in the record
   * @param suggestion what may have been meant
   */
  public FieldRefusal(FieldPath path, String message, Optional<String> suggestion) {
    super(message);
    this.path = path;
    this.suggestion = suggestion;
  }

  /** The value, in the record. */
  public FieldPath path() {
    return path;
  }

  /** What may have been meant. */
  public Optional<String> suggestion() {
    return suggestion;
  }
}
