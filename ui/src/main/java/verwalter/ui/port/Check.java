package verwalter.ui.port;

/**
 * One thing that must be so before this node is ready, as {@code /readyz?verbose} lists it.
 *
 * @param name one lower-case word with hyphens, such as {@code config-read}
 * @param passed whether it is so
 * @param message for people: why it is not, and what to do
 */
public record Check(String name, boolean passed, String message) {}
