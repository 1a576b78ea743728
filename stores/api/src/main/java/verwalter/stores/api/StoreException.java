package verwalter.stores.api;

import verwalter.model.ResourceKey;

/** A request the store refused, and nothing else: bugs and broken disks are not refusals. */
public abstract sealed class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private StoreException(String message) {
    super(message, null, false, false);
  }

  /** The object was written since it was read: read it again and decide again. */
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

  /** The object is not there (any more), or is another one with the same name. */
  public static final class Missing extends StoreException {
    private static final long serialVersionUID = 1;

    public Missing(ResourceKey key) {
      super(key + " does not exist");
    }
  }

  /** The object breaks a rule that holds for all objects: its name, its size, its owner. */
  public static final class Invalid extends StoreException {
    private static final long serialVersionUID = 1;

    public Invalid(ResourceKey key, String why) {
      super(key + ": " + why);
    }
  }

  /** All objects together would be larger than the store lets them: delete some. */
  public static final class Full extends StoreException {
    private static final long serialVersionUID = 1;

    public Full(long bytes, long most) {
      super(
          "the store is full: its objects take %d bytes of memory, and %d are the most; delete what is not needed"
              .formatted(bytes, most));
    }
  }

  /** The write was meant for an epoch that is over, or has not begun: another leader may lead. */
  public static final class Fenced extends StoreException {
    private static final long serialVersionUID = 1;

    public Fenced(long expected, long actual) {
      super(
          "the write was meant for epoch %d, but the store is in epoch %d"
              .formatted(expected, actual));
    }
  }

  /** The writer may not write that part of the object. */
  public static final class Forbidden extends StoreException {
    private static final long serialVersionUID = 1;

    private final String part;
    private final String writers;

    /**
     * A refused write.
     *
     * @param part what it would have written, such as {@code spec}
     * @param by who asked for it
     * @param writers who may write that part
     */
    public Forbidden(ResourceKey key, String part, String by, String writers) {
      super("%s: its %s %s by %s, not by %s".formatted(key, part, verb(part), writers, by));
      this.part = part;
      this.writers = writers;
    }

    private static String verb(String part) {
      return switch (part) {
        case "removal" -> "is asked for";
        case "labels" -> "are written";
        default -> "is written";
      };
    }

    /** What the write would have changed, such as {@code spec}. */
    public String part() {
      return part;
    }

    /** Who may write that part, for messages. */
    public String writers() {
      return writers;
    }
  }

  /** The revision asked for is no longer in the history: list again and watch from there. */
  public static final class TooOld extends StoreException {
    private static final long serialVersionUID = 1;

    public TooOld(long asked, long oldest) {
      super(
          "revision %d is too old: the history begins at %d; list again".formatted(asked, oldest));
    }
  }

  /** The watcher was slower than the store for too long and was let go: list again. */
  public static final class TooSlow extends StoreException {
    private static final long serialVersionUID = 1;

    public TooSlow(int pending) {
      super("the watcher fell %d changes behind and was let go; list again".formatted(pending));
    }
  }

  /** The store takes no writes: it is closed, or its disk failed. */
  public static final class Unavailable extends StoreException {
    private static final long serialVersionUID = 1;

    public Unavailable(String why) {
      super(why);
    }
  }
}
