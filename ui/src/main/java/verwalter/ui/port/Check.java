package verwalter.ui.port;

/**
 * One condition for the readiness of this node, as {@code /readyz?verbose} lists it.
 *
 * @param name one lower-case word with hyphens, such as {@code config-read}
 * @param passed whether the condition holds
 * @param message for people: why it does not hold, and what to do
 */
public record Check(String name, boolean passed, String message) {}
