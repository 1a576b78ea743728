package verwalter.scheduler.record;

/**
 * No record is meant by a reference, or several are; the message says which references would do.
 */
public final class NoSuchRecord extends Exception {
  private static final long serialVersionUID = 1;

  NoSuchRecord(String message) {
    super(message, null, false, false);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
