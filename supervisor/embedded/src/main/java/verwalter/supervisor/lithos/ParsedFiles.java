package verwalter.supervisor.lithos;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads files and keeps what was parsed, so that a file with the same text is not parsed again: a
 * process is validated several times between its release and its start. Thread-safe.
 *
 * @param <V> what a text is parsed to; immutable
 */
final class ParsedFiles<V> {
  /** The number of kept files. Those that were not used for the longest time are dropped. */
  private static final int MOST = 1_000;

  private final Parser<V> parser;

  /** Guarded by itself. */
  private final Map<Path, Parsed<V>> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Parsed<V>> eldest) {
          return size() > MOST;
        }
      };

  /** Parses the text of a file. */
  @FunctionalInterface
  interface Parser<V> {
    V parse(String text, Path file) throws ConfigException;
  }

  private record Parsed<V>(String text, V value) {}

  ParsedFiles(Parser<V> parser) {
    this.parser = parser;
  }

  /** Reads the file, and parses it if its text is another than before. */
  V read(Path file) throws ConfigException {
    var text = Texts.read(file);
    synchronized (kept) {
      var known = kept.get(file);
      if (known != null && known.text().equals(text)) {
        return known.value();
      }
    }
    var value = parser.parse(text, file);
    synchronized (kept) {
      kept.put(file, new Parsed<>(text, value));
    }
    return value;
  }
}
