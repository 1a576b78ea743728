package verwalter.render.engine.legacy.tera;

/** What a filter, test or operator says of values it cannot take; its caller knows the place. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refused(String text) {
    super(text, null, false, false);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
