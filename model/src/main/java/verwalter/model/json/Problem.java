package verwalter.model.json;

import java.util.Optional;

/**
 * A problem in input of a user.
 *
 * @param source the name of the file or the request; may be empty
 * @param line counted from 1; 0 if there are no lines
 * @param column counted from 1; 0 if there are no lines
 * @param path path of the field, such as {@code spec.cordoned}; empty for the whole text
 * @param message the problem and how to fix it
 * @param suggestion the most similar valid name
 */
public record Problem(
    String source, int line, int column, String path, String message, Optional<String> suggestion) {

  /** Creates a problem of a place in a text without a field. */
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
