package verwalter.cluster.forks;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Term;
import verwalter.cluster.forks.ForkState.Phase;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;

/**
 * The forks of a node in a directory: {@code fork.json}, the term that the node promised; {@code
 * store/}, all objects of the cluster as the side sees them; {@code ended-EPOCH/}, the same of an
 * own term that has ended and is not merged; {@code stopped.json}, the roles that were stopped; and
 * {@code leaderless.json}, for how long there was no leader. Methods block. Thread-safe: what one
 * of them writes is not disturbed by another one.
 */
public final class ForkFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ForkFiles.class);
  private static final String FILE = "fork.json";
  private static final String STOPPED = "stopped.json";
  private static final String LEADERLESS = "leaderless.json";
  private static final String MILLIS = "millis";
  private static final String STORE = "store";
  private static final String ENDED = "ended-";

  private final ForkDisk disk;
  private final Options options;
  private final Executor executor;
  private final InstantSource clock;
  private final Supplier<String> uids;

  /**
   * The files in a directory, which need not exist.
   *
   * @param options of the store
   * @param executor runs the writer of the store
   * @param uids supplies unique strings
   */
  public ForkFiles(
      Path directory,
      Options options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids) {
    this(new ForkDirectory(directory), options, executor, clock, uids);
  }

  /** The files on a disk of any kind; see the constructor for a directory. */
  public ForkFiles(
      ForkDisk disk,
      Options options,
      Executor executor,
      InstantSource clock,
      Supplier<String> uids) {
    this.disk = disk;
    this.options = options;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
  }

  private static String ended(ForkState state) {
    return ENDED + state.term().epoch();
  }

  private static String in(String folder, String name) {
    return folder + "/" + name;
  }

  private static ForkState parsed(String text) throws IOException {
    try {
      return ForkState.read(text);
    } catch (IllegalArgumentException malformed) {
      throw new IOException(malformed.getMessage(), malformed);
    }
  }

  /** The last fork; empty if there was none. */
  synchronized Optional<ForkState> state() throws IOException {
    var text = disk.read(FILE);
    return text.isPresent() ? Optional.of(parsed(text.get())) : Optional.empty();
  }

  /**
   * Stores the state durably.
   *
   * @throws IOException also if a newer state is stored already
   */
  synchronized void write(ForkState state) throws IOException {
    var present = state();
    if (present.isPresent() && !state.follows(present.get())) {
      throw new IOException("%s cannot follow %s".formatted(state, present.get()));
    }
    disk.write(FILE, state.text());
  }

  /** The roles that were stopped since there is no leader. */
  synchronized Set<String> stopped() throws IOException {
    var text = disk.read(STOPPED);
    try {
      return text.map(JsonArray::new)
          .map(JsonArray::stream)
          .orElseGet(Stream::empty)
          .map(String::valueOf)
          .collect(Collectors.toUnmodifiableSet());
    } catch (DecodeException malformed) {
      throw new IOException(STOPPED + " is malformed", malformed);
    }
  }

  /** Stores durably which roles were stopped. */
  synchronized void writeStopped(Set<String> roles) throws IOException {
    if (roles.isEmpty()) {
      disk.delete(STOPPED);
    } else {
      disk.write(STOPPED, new JsonArray(List.copyOf(roles)).encode());
    }
  }

  /** For how long the node has observed that there is no leader. */
  synchronized Duration leaderless() throws IOException {
    var text = disk.read(LEADERLESS);
    try {
      return text.map(JsonObject::new)
          .map(json -> Duration.ofMillis(json.getLong(MILLIS)))
          .orElse(Duration.ZERO);
    } catch (DecodeException | ClassCastException | NullPointerException malformed) {
      throw new IOException(LEADERLESS + " is malformed", malformed);
    }
  }

  /** Stores durably for how long there was no leader. */
  synchronized void writeLeaderless(Duration time) throws IOException {
    if (time.isZero()) {
      disk.delete(LEADERLESS);
    } else {
      disk.write(LEADERLESS, new JsonObject().put(MILLIS, time.toMillis()).encode());
    }
  }

  /**
   * Begins a fork with the objects of the cluster, and opens its store. The promise is stored last,
   * so that a promise without its store does not exist.
   *
   * @param version the version of the log's state below the fork
   */
  synchronized LocalStore begin(Term term, Snapshot base, long version) throws IOException {
    remove();
    try (var copy = disk.copy(STORE, options.logBytes(), uids)) {
      copy.read(new Nothing());
      copy.replace(base);
    }
    var opened = open();
    try {
      write(new ForkState(term, version, Phase.OPEN));
      return opened;
    } catch (IOException failure) {
      opened.close();
      throw failure;
    }
  }

  /** Opens the store of the present fork. */
  synchronized LocalStore open() throws IOException {
    return disk.store(STORE, options, executor, clock, uids);
  }

  /** Whether the present fork has a store. */
  synchronized boolean hasStore() {
    return disk.hasFolder(STORE);
  }

  /** Deletes the store, which must be closed. */
  synchronized void remove() throws IOException {
    disk.deleteFolder(STORE);
  }

  /**
   * Keeps the fork of an own term, whose store must be closed, until it is merged, so that another
   * term can begin. After a crash the fork is in one place or the other.
   */
  synchronized void setAside(ForkState own) throws IOException {
    var kept = own.in(Phase.CLOSED);
    disk.write(in(ended(own), FILE), kept.text());
    disk.moveFolder(STORE, in(ended(own), STORE));
    write(own.in(Phase.MERGED));
  }

  /** The own terms that were set aside, the oldest first. What cannot be read is left out. */
  synchronized List<ForkState> ended() throws IOException {
    var found = new ArrayList<ForkState>();
    for (var folder : disk.folders(ENDED)) {
      try {
        var text = disk.read(in(folder, FILE));
        if (text.isPresent() && disk.hasFolder(in(folder, STORE))) {
          found.add(parsed(text.get()));
        }
      } catch (IOException damaged) {
        LOG.warn("side: {} is left as it is: {}", disk.place(folder), damaged.toString());
      }
    }
    found.sort(Comparator.comparingLong(state -> state.term().epoch()));
    return List.copyOf(found);
  }

  /** Opens the store of a term that was set aside. */
  synchronized LocalStore open(ForkState state) throws IOException {
    return disk.store(in(ended(state), STORE), options, executor, clock, uids);
  }

  /** Deletes a term that was set aside, whose store must be closed. */
  synchronized void remove(ForkState state) throws IOException {
    disk.deleteFolder(in(ended(state), STORE));
    disk.deleteFolder(ended(state));
  }

  /**
   * Moves what cannot be read out of the way: the store, or also the state if that is damaged. The
   * promise is kept if it can be read.
   */
  synchronized void setDamagedAside() throws IOException {
    var place = "damaged-" + clock.instant().toEpochMilli();
    Optional<ForkState> promise;
    try {
      promise = state();
    } catch (IOException damaged) {
      promise = Optional.empty();
      disk.moveFile(FILE, place);
    }
    if (hasStore()) {
      disk.moveFolder(STORE, in(place, STORE));
    }
    if (promise.isPresent()) {
      write(promise.get().in(Phase.MERGED));
    }
    LOG.warn("side: the fork cannot be read and is in {}", disk.place(place));
  }

  /** Reads an empty copy. */
  private static final class Nothing implements Log.Reader {
    @Override
    public void begin(long index, long version) {}

    @Override
    public boolean block(ByteBuffer block) {
      return Snapshot.isEnd(block);
    }

    @Override
    public void entry(long index, Entry entry) {
      throw new IllegalArgumentException("a new copy has no entries");
    }

    @Override
    public void complete() {}

    @Override
    public long index() {
      return 0;
    }
  }
}
