package verwalter.stores.api;

import verwalter.model.ResourceKey;

/** The store refused a request. Bugs and disk errors are reported by other exceptions. */
public abstract sealed class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private StoreException(String message) {
    super(message, null, false, false);
  }

  /** The object was changed since it was read. Read it again and retry. */
  public static final class Conflict extends StoreException {
    private static final long serialVersionUID = 1;

    public Conflict(ResourceKey key, long expected, long actual) {
      super("%s is at version %d, not %d".formatted(key, actual, expected));
    }
  }

  /** An object of that name exists already. */
  public static final class Exists extends StoreException {
    private static final long serialVersionUID = 1;

    public Exists(ResourceKey key) {
      super(key + " already exists");
    }
  }

  /** The object does not exist, or it is another one with the same name. */
  public static final class Missing extends StoreException {
    private static final long serialVersionUID = 1;

    public Missing(ResourceKey key) {
      super(key + " does not exist");
    }
  }

  /** The object is invalid: its name, its size or its owners. */
  public static final class Invalid extends StoreException {
    private static final long serialVersionUID = 1;

    public Invalid(ResourceKey key, String why) {
      super(key + ": " + why);
    }
  }

  /** The objects would exceed the memory limit of the store. */
  public static final class Full extends StoreException {
    private static final long serialVersionUID = 1;

    public Full(long bytes, long most) {
      super(
          "the store is full: its objects take %d bytes of memory, and the limit is %d; delete objects that are not needed"
              .formatted(bytes, most));
    }
  }

  /** The write is fenced by another epoch. Another leader may have begun. */
  public static final class Fenced extends StoreException {
    private static final long serialVersionUID = 1;

    public Fenced(long expected, long actual) {
      super("the write is for epoch %d, but the store is in epoch %d".formatted(expected, actual));
    }
  }

  /** The author is not a writer of this part of the object. */
  public static final class Forbidden extends StoreException {
    private static final long serialVersionUID = 1;

    private final String part;
    private final String writers;

    /**
     * Creates an exception for a refused write.
     *
     * @param part the part that it would have changed, such as {@code spec}
     * @param by the author of the write
     * @param writers the writers of the part
     */
    public Forbidden(ResourceKey key, String part, String by, String writers) {
      super("%s: its %s %s by %s, not by %s".formatted(key, part, verb(part), writers, by));
      this.part = part;
      this.writers = writers;
    }

    private static String verb(String part) {
      return switch (part) {
        case "removal" -> "is requested";
        case "labels" -> "are written";
        default -> "is written";
      };
    }

    /** The part that the write would have changed, such as {@code spec}. */
    public String part() {
      return part;
    }

    /** The writers of the part, for messages. */
    public String writers() {
      return writers;
    }
  }

  /** The object is read from a file, which would undo the write. */
  public static final class FromFile extends StoreException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a refused write.
     *
     * @param file path of the file or directory below the configuration directory
     */
    public FromFile(ResourceKey key, String file) {
      super(
          "%s is read from %s in the configuration directory; change or remove it there"
              .formatted(key, file));
    }
  }

  /** The requested revision is not in the history any more. List again and watch from there. */
  public static final class TooOld extends StoreException {
    private static final long serialVersionUID = 1;

    public TooOld(long asked, long oldest) {
      super(
          "revision %d is too old: the history begins at %d; list again".formatted(asked, oldest));
    }
  }

  /** The watcher was too slow and its watch was closed. List again. */
  public static final class TooSlow extends StoreException {
    private static final long serialVersionUID = 1;

    public TooSlow(int pending) {
      super(
          "the watcher is %d changes behind and its watch was closed; list again"
              .formatted(pending));
    }
  }

  /** The store does not accept writes: it is closed, or its disk failed. */
  public static final class Unavailable extends StoreException {
    private static final long serialVersionUID = 1;

    public Unavailable(String why) {
      super(why);
    }
  }
}
