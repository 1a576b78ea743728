package verwalter.stores.local;

import java.io.IOException;

/**
 * Why a directory cannot be opened as a store, and what to do about it. Nothing in the directory
 * was changed.
 */
public abstract sealed class OpenException extends IOException
    permits StoreInUse, StoreCorrupt, StoreFormat {
  private static final long serialVersionUID = 1;

  OpenException(String message) {
    super(message);
  }
}
