package verwalter.cluster.forks;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
 * The fork of a node in a directory: {@code fork.json}, the term that the node promised; {@code
 * store/}, all objects of the cluster as the side sees them; and {@code stopped.json}, the roles
 * that were stopped. Methods block.
 */
public final class ForkFiles {
  private static final String FILE = "fork.json";
  private static final String STOPPED = "stopped.json";

  private final Path directory;
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
    this.directory = directory;
    this.options = options;
    this.executor = executor;
    this.clock = clock;
    this.uids = uids;
  }

  private Path store() {
    return directory.resolve("store");
  }

  /** The last fork; empty if there was none. */
  Optional<ForkState> state() throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    return PkiFiles.in(directory).read(FILE).map(ForkState::read);
  }

  /** Stores the state durably. */
  void write(ForkState state) throws IOException {
    PkiFiles.in(directory).write(FILE, state.text());
  }

  /** The roles that were stopped since there is no leader. */
  Set<String> stopped() throws IOException {
    if (!Files.isDirectory(directory)) {
      return Set.of();
    }
    return PkiFiles.in(directory)
        .read(STOPPED)
        .map(text -> new JsonArray(text).stream().map(String::valueOf))
        .map(names -> names.collect(Collectors.toUnmodifiableSet()))
        .orElse(Set.of());
  }

  /** Stores durably which roles were stopped. */
  void writeStopped(Set<String> roles) throws IOException {
    if (roles.isEmpty()) {
      PkiFiles.in(directory).delete(STOPPED);
    } else {
      PkiFiles.in(directory).write(STOPPED, new JsonArray(List.copyOf(roles)).encode());
    }
  }

  /**
   * Begins a fork with the objects of the cluster, and opens its store in the term's epoch. The
   * promise is stored last, so that a promise without its store does not exist.
   */
  LocalStore begin(Term term, Snapshot base) throws IOException {
    PkiFiles.in(directory);
    remove();
    try (var copy = LogCopy.open(store(), options.logBytes(), uids)) {
      copy.read(new Nothing());
      copy.replace(base);
    }
    var opened = LocalStore.open(store(), options, executor, clock, uids);
    try {
      write(new ForkState(term, base.version(), Phase.OPEN));
      return opened;
    } catch (IOException failure) {
      opened.close();
      throw failure;
    }
  }

  /** Opens the store of the present fork. */
  LocalStore open() throws IOException {
    return LocalStore.open(store(), options, executor, clock, uids);
  }

  /** Deletes the store, which must be closed. */
  void remove() throws IOException {
    if (!Files.isDirectory(store())) {
      return;
    }
    try (var files = Files.list(store())) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(store());
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
