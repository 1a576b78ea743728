package verwalter.stores.local;

/** A file is not one this version of the store can read, though it may be in perfect order. */
public final class StoreFormat extends OpenException {
  private static final long serialVersionUID = 1;

  StoreFormat(String message) {
    super(message);
  }
}
