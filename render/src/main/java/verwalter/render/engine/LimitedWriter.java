package verwalter.render.engine;

import java.io.IOException;
import java.io.StringWriter;

/** Collects text up to a limit. */
public final class LimitedWriter extends StringWriter {
  private final int limit;

  public LimitedWriter(int limit) {
    this.limit = limit;
  }

  private void more(int length) {
    if (getBuffer().length() + length > limit) {
      throw new TooLong(limit);
    }
  }

  @Override
  public void write(int letter) {
    more(1);
    super.write(letter);
  }

  @Override
  public void write(char[] letters, int offset, int length) {
    more(length);
    super.write(letters, offset, length);
  }

  @Override
  public void write(String text) {
    more(text.length());
    super.write(text);
  }

  @Override
  public void write(String text, int offset, int length) {
    more(length);
    super.write(text, offset, length);
  }

  @Override
  public void close() throws IOException {
    super.close();
  }

  /** The output exceeded its limit. */
  public static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TooLong(int limit) {
      super("produces more than " + limit + " characters", null, false, false);
    }
  }
}
