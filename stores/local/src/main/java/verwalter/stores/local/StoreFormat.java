package verwalter.stores.local;

/** This version of the store cannot read a file, although the file may be valid. */
public final class StoreFormat extends OpenException {
  private static final long serialVersionUID = 1;

  StoreFormat(String message) {
    super(message);
  }
}
