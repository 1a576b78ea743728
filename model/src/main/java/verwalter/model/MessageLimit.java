package verwalter.model;

/**
 * The limit of messages in conditions, events and other statuses. An error message of a scheduler,
 * a template or a command can have any length, and an object with it would be too large to store.
 */
public final class MessageLimit {
  /** The limit in UTF-16 units. */
  public static final int LENGTH = 4096;

  /** How much of the end is kept. */
  private static final int TAIL = 512;

  private static final String OMITTED = " ... (%d characters omitted) ... ";

  /** Returns the message, or its beginning and its end if it is longer than {@link #LENGTH}. */
  public static String shorten(String message) {
    if (message.length() <= LENGTH) {
      return message;
    }
    int longestNote = OMITTED.formatted(Integer.MAX_VALUE).length();
    int head = boundary(message, LENGTH - TAIL - longestNote);
    int tail = boundary(message, message.length() - TAIL);
    return message.substring(0, head) + OMITTED.formatted(tail - head) + message.substring(tail);
  }

  /** Moves an offset off the middle of a surrogate pair. */
  private static int boundary(String text, int offset) {
    return Character.isLowSurrogate(text.charAt(offset))
            && Character.isHighSurrogate(text.charAt(offset - 1))
        ? offset - 1
        : offset;
  }

  private MessageLimit() {}
}
