package verwalter.stores.local;

/** Another store, of this process or another one, has the directory open. */
public final class StoreInUse extends OpenException {
  private static final long serialVersionUID = 1;

  StoreInUse(String directory, String holder) {
    super(
        "%s is in use by %s; stop that agent first, or use another directory for this one"
            .formatted(directory, holder));
  }
}
