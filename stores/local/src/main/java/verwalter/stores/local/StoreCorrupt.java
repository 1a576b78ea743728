package verwalter.stores.local;

/** A file of the store is damaged in a way that a crash does not explain. */
public final class StoreCorrupt extends OpenException {
  private static final long serialVersionUID = 1;

  private final String file;
  private final long offset;
  private final String what;

  /**
   * @param file the name of the damaged file in the store's directory
   * @param offset where the damage begins, in bytes
   * @param what the damage
   * @param remedy how to repair the store
   */
  StoreCorrupt(String file, long offset, String what, String remedy) {
    super("%s is damaged at byte %d: %s. %s".formatted(file, offset, what, remedy));
    this.file = file;
    this.offset = offset;
    this.what = what;
  }

  /** Returns the same damage with another remedy. */
  StoreCorrupt with(String remedy) {
    return new StoreCorrupt(file, offset, what, remedy);
  }

  /** The name of the damaged file in the store's directory. */
  public String file() {
    return file;
  }

  /** Where the damage begins, in bytes. */
  public long offset() {
    return offset;
  }
}
