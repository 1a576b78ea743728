package verwalter.stores.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the state and the history from a log, without decoding objects. */
final class LogReplay implements Log.Reader {
  private final HistoryLimit limit;
  private final Map<String, Map<String, Stored>> objects = new HashMap<>();
  private final Map<String, StoredValue> values = new HashMap<>();
  private State state = State.EMPTY;
  private ChangeHistory history;
  private long count;

  LogReplay(HistoryLimit limit) {
    this.limit = limit;
    this.history = new ChangeHistory(limit, 0);
  }

  State state() {
    return state;
  }

  ChangeHistory history() {
    return history;
  }

  @Override
  public void begin(long index, long version) {
    objects.clear();
    values.clear();
    count = 0;
    state = State.EMPTY.at(index, version);
    history = new ChangeHistory(limit, version);
  }

  @Override
  public boolean block(ByteBuffer block) throws IOException {
    int rest = block.getInt();
    if (rest == Snapshot.END) {
      if (block.getLong() != count) {
        throw new IllegalArgumentException("there are %d objects".formatted(count));
      }
      state = State.of(state.index(), state.version(), objects);
      objects.clear();
      values.clear();
      return true;
    }
    if (rest == Snapshot.VALUES) {
      for (int more = block.getInt(); more > 0; more--) {
        var value = StoredValue.read(block);
        values.put(value.hash(), value);
      }
      return false;
    }
    for (; rest > 0; rest--) {
      var object = Stored.read(block).resolved(this::value);
      if (object == null) {
        throw new IllegalArgumentException("an object refers to a missing value");
      }
      objects
          .computeIfAbsent(object.key().kind(), any -> new HashMap<>())
          .put(object.key().name(), object);
      count++;
    }
    return false;
  }

  private @Nullable StoredValue value(String hash) {
    var found = values.get(hash);
    var linked = found == null ? null : found.linked(this::value);
    if (linked != null && linked != found) {
      values.put(hash, linked);
    }
    return linked;
  }

  @Override
  public void entry(long index, Entry entry) {
    if (index != state.index() + 1) {
      throw new IllegalArgumentException("entry %d follows %d".formatted(index, state.index()));
    }
    var outcome = Transaction.apply(state, entry);
    note(state, outcome, history);
    state = outcome.state();
  }

  private static void note(State before, Outcome outcome, ChangeHistory history) {
    if (!outcome.effects().isEmpty()) {
      history.add(outcome.state().version(), outcome.effects());
    } else if (outcome.state().version() != before.version()) {
      history.beginEpoch(before.version(), outcome.state().version());
    }
  }

  @Override
  public long index() {
    return state.index();
  }

  /** Decodes one object of each kind, so that unknown objects are detected at once. */
  @Override
  public void complete() throws IOException {
    for (var kind : state.kinds().values()) {
      decode(kind.values().subList(0, 1));
    }
  }

  private static void decode(List<Stored> some) throws IOException {
    try {
      some.forEach(Stored::resource);
    } catch (UncheckedIOException unknown) {
      throw unknown.getCause();
    }
  }
}
