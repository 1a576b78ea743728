package verwalter.scheduler.record;

/** A reference matches no record, or several; the message lists valid references. */
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
