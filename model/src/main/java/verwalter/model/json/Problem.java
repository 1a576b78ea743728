package verwalter.model.json;

import java.util.Optional;

/**
 * One mistake in something a person wrote.
 *
 * @param source the file or the request it is in; empty if there is no telling name
 * @param line counted from 1; 0 if there are no lines
 * @param column counted from 1; 0 if there are no lines
 * @param path of the field, such as {@code spec.cordoned}; empty for the whole text
 * @param message the problem, and what to write instead
 * @param suggestion the name that was probably meant
 */
public record Problem(
    String source, int line, int column, String path, String message, Optional<String> suggestion) {

  /** A problem of a place in a text, not of a field. */
  public static Problem at(String source, int line, int column, String message) {
    return new Problem(source, line, column, "", message, Optional.empty());
  }

  /** {@code node.yaml:7:3: spec.cordonned: unknown field; did you mean "cordoned"?} */
  @Override
  public String toString() {
    var text = new StringBuilder(source);
    if (line > 0) {
      text.append(source.isEmpty() ? "" : ":").append(line).append(':').append(column);
    }
    text.append(text.isEmpty() ? "" : ": ");
    text.append(path).append(path.isEmpty() ? "" : ": ").append(message);
    suggestion.ifPresent(name -> text.append("; did you mean \"").append(name).append("\"?"));
    return text.toString();
  }
}
