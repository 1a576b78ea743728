package verwalter.stores.local;

import java.io.IOException;

/**
 * A directory cannot be opened as a store. The message says why and what to do. Nothing in the
 * directory was changed.
 */
public abstract sealed class OpenException extends IOException
    permits StoreInUse, StoreCorrupt, StoreFormat {
  private static final long serialVersionUID = 1;

  OpenException(String message) {
    super(message);
  }
}
