package verwalter.cli.yaml;

/** A file that cannot be parsed as objects: the file, the line and the error. */
public final class ManifestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ManifestException(String where, String problem) {
    super(where + ": " + problem, null, false, false);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
