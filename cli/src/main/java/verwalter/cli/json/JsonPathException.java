package verwalter.cli.json;

/** A JSONPath template that cannot be parsed: the error and its position. */
public final class JsonPathException extends RuntimeException {
  private static final long serialVersionUID = 1;

  JsonPathException(String template, int at, String problem) {
    super(
        "bad jsonpath: %s at character %d of %s".formatted(problem, at + 1, template),
        null,
        false,
        false);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
