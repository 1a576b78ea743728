package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the logs of the instances that a query selects, by time, and follows them. All methods
 * block; one thread at a time may call them.
 */
public final class LogSession {
  /** No call returns many more characters. */
  private static final int MOST = 1 << 18;

  private final LogFiles files;
  private final LogQuery query;
  private final Function<LogQuery, Map<SlotName, Path>> instances;
  private final Map<String, LogReader> readers = new LinkedHashMap<>();

  LogSession(LogFiles files, LogQuery query, Function<LogQuery, Map<SlotName, Path>> instances) {
    this.files = files;
    this.query = query;
    this.instances = instances;
  }

  /**
   * Looks for instances that are new.
   *
   * @return whether there are any instances
   */
  public boolean refresh() throws IOException {
    boolean isFirst = readers.isEmpty();
    for (var each : instances.apply(query).entrySet()) {
      var name = each.getKey().toString();
      if (!readers.containsKey(name)) {
        var history = new LogHistory(files, each.getValue());
        readers.put(
            name,
            isFirst
                ? LogReader.of(history, name, query)
                : LogReader.from(history, name, query, history.oldest()));
      }
    }
    return !readers.isEmpty();
  }

  /** The next lines; none if there are no more now. */
  public List<LogLine> next() throws IOException {
    return new LogMerge(readers.values()).next(MOST);
  }

  /** The lines whose ends are missing. To be called once, after the last {@link #next}. */
  public List<LogLine> rest() throws IOException {
    for (var each : readers.values()) {
      each.unfinished();
    }
    return next();
  }
}
