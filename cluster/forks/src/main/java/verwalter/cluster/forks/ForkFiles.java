package verwalter.cluster.forks;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.Term;
import verwalter.cluster.forks.ForkState.Phase;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.LogCopy;
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

  private final Path directory;
  private final Options options;
  private final Executor executor;
  private final InstantSource clock;
  private final Supplier<String> uids;

  /** Opened once: each opening deletes what another write has not finished. */
  private @Nullable PkiFiles files;

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
    this.directory = directory;
    this.options = options;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
  }

  private Path store() {
    return directory.resolve(STORE);
  }

  private Path ended(ForkState state) {
    return directory.resolve(ENDED + state.term().epoch());
  }

  private synchronized PkiFiles files() throws IOException {
    var opened = files;
    if (opened == null) {
      opened = PkiFiles.in(directory);
      files = opened;
    }
    return opened;
  }

  private Optional<String> read(String name) throws IOException {
    return Files.isDirectory(directory) ? files().read(name) : Optional.empty();
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
    var text = read(FILE);
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
    files().write(FILE, state.text());
  }

  /** The roles that were stopped since there is no leader. */
  synchronized Set<String> stopped() throws IOException {
    var text = read(STOPPED);
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
      files().delete(STOPPED);
    } else {
      files().write(STOPPED, new JsonArray(List.copyOf(roles)).encode());
    }
  }

  /** For how long the node has observed that there is no leader. */
  synchronized Duration leaderless() throws IOException {
    var text = read(LEADERLESS);
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
      files().delete(LEADERLESS);
    } else {
      files().write(LEADERLESS, new JsonObject().put(MILLIS, time.toMillis()).encode());
    }
  }

  /**
   * Begins a fork with the objects of the cluster, and opens its store. The promise is stored last,
   * so that a promise without its store does not exist.
   *
   * @param version the version of the log's state below the fork
   */
  synchronized LocalStore begin(Term term, Snapshot base, long version) throws IOException {
    files();
    remove();
    try (var copy = LogCopy.open(store(), options.logBytes(), uids)) {
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
    return LocalStore.open(store(), options, executor, clock, uids);
  }

  /** Whether the present fork has a store. */
  synchronized boolean hasStore() {
    return Files.isDirectory(store());
  }

  /** Deletes the store, which must be closed. */
  synchronized void remove() throws IOException {
    delete(store());
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /**
   * Keeps the fork of an own term, whose store must be closed, until it is merged, so that another
   * term can begin. After a crash the fork is in one place or the other.
   */
  synchronized void setAside(ForkState own) throws IOException {
    var kept = own.in(Phase.CLOSED);
    PkiFiles.in(ended(own)).write(FILE, kept.text());
    Files.move(store(), ended(own).resolve(STORE), StandardCopyOption.ATOMIC_MOVE);
    write(own.in(Phase.MERGED));
  }

  /** The own terms that were set aside, the oldest first. What cannot be read is left out. */
  synchronized List<ForkState> ended() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    var found = new ArrayList<ForkState>();
    try (var folders = Files.newDirectoryStream(directory, ENDED + "*")) {
      for (var folder : folders) {
        try {
          var text = PkiFiles.in(folder).read(FILE);
          if (text.isPresent() && Files.isDirectory(folder.resolve(STORE))) {
            found.add(parsed(text.get()));
          }
        } catch (IOException damaged) {
          LOG.warn("side: {} is left as it is: {}", folder, damaged.toString());
        }
      }
    }
    found.sort(Comparator.comparingLong(state -> state.term().epoch()));
    return List.copyOf(found);
  }

  /** Opens the store of a term that was set aside. */
  synchronized LocalStore open(ForkState state) throws IOException {
    return LocalStore.open(ended(state).resolve(STORE), options, executor, clock, uids);
  }

  /** Deletes a term that was set aside, whose store must be closed. */
  synchronized void remove(ForkState state) throws IOException {
    delete(ended(state).resolve(STORE));
    delete(ended(state));
  }

  /**
   * Moves what cannot be read out of the way: the store, or also the state if that is damaged. The
   * promise is kept if it can be read.
   */
  synchronized void setDamagedAside() throws IOException {
    var place = directory.resolve("damaged-" + clock.instant().toEpochMilli());
    Files.createDirectories(place);
    Optional<ForkState> promise;
    try {
      promise = state();
    } catch (IOException damaged) {
      promise = Optional.empty();
      Files.move(directory.resolve(FILE), place.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
    if (hasStore()) {
      Files.move(store(), place.resolve(STORE), StandardCopyOption.ATOMIC_MOVE);
    }
    if (promise.isPresent()) {
      write(promise.get().in(Phase.MERGED));
    }
    LOG.warn("side: the fork cannot be read and is in {}", place);
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
