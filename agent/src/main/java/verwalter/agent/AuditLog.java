package verwalter.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.access.AuditChain;
import verwalter.access.AuditEntry;
import verwalter.files.FileAccess;

/**
 * Appends the audit log to files of a directory, on a thread of its own. A file is forced to disk
 * half a second after an entry at the latest. Entries that cannot be written wait in memory; if too
 * many wait, the oldest stay, and the number of those that were lost is written later.
 *
 * <p>The file {@code head} holds the number and the hash of the last line, so that missing lines at
 * the end are noticed.
 */
final class AuditLog implements AutoCloseable {
  static final String HEAD = "head";

  private static final Duration FORCED_AFTER = Duration.ofMillis(500);
  private static final Duration RETRIED_AFTER = Duration.ofSeconds(2);
  private static final AuditEntry END = new AuditEntry(Instant.EPOCH, "", "", "", "", "", 0, "");

  private final Path directory;
  private final Limits limits;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final BlockingQueue<AuditEntry> queue;
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread;

  // Owned by the thread.
  private AuditChain chain = AuditChain.START;
  private @Nullable FileChannel file;
  private @Nullable FileChannel head;
  private long length;

  private volatile Optional<String> problem = Optional.empty();

  /**
   * The sizes of a log.
   *
   * @param fileBytes a file of this size is followed by a new one
   * @param files the number of files that are kept
   * @param waiting the number of entries that may wait in memory
   */
  record Limits(long fileBytes, int files, int waiting) {
    static final Limits STANDARD = new Limits(16L << 20, 16, 10_000);
  }

  private AuditLog(
      Path directory,
      Limits limits,
      InstantSource clock,
      ThreadFactory threads,
      Consumer<String> log) {
    this.directory = directory;
    this.limits = limits;
    this.clock = clock;
    this.log = log;
    this.queue = new ArrayBlockingQueue<>(limits.waiting());
    this.thread = threads.newThread(this::run);
  }

  /** Opens the log of a directory, which is created. A failure is a {@link #problem}, no error. */
  static AuditLog open(
      Path directory,
      Limits limits,
      InstantSource clock,
      ThreadFactory threads,
      Consumer<String> log) {
    var opened = new AuditLog(directory, limits, clock, threads, log);
    opened.thread.setName("audit");
    opened.thread.start();
    return opened;
  }

  /** Adds an entry. Does not block. */
  void add(AuditEntry entry) {
    if (!queue.offer(entry)) {
      lost.incrementAndGet();
    }
  }

  /** Why entries are not written, or lines are missing; empty if everything is well. */
  Optional<String> problem() {
    return problem;
  }

  private void run() {
    var batch = new ArrayList<AuditEntry>();
    try {
      boolean ended = false;
      while (!ended) {
        if (batch.isEmpty()) {
          batch.add(queue.take());
        }
        queue.drainTo(batch);
        ended = batch.remove(END);
        if (!write(batch) && !ended) {
          TimeUnit.MILLISECONDS.sleep(RETRIED_AFTER.toMillis());
          continue;
        }
        batch.clear();
        ended = force(ended);
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      closeFiles();
    }
  }

  /** Gathers more entries for a moment, then forces all. Returns whether the end was among them. */
  private boolean force(boolean last) throws InterruptedException {
    long until = System.nanoTime() + FORCED_AFTER.toNanos();
    boolean ended = last;
    for (long left = FORCED_AFTER.toNanos(); left > 0 && !ended; left = until - System.nanoTime()) {
      var next = queue.poll(left, TimeUnit.NANOSECONDS);
      if (next != null) {
        var more = new ArrayList<AuditEntry>(List.of(next));
        queue.drainTo(more);
        ended = more.remove(END);
        while (!write(more) && !ended) {
          TimeUnit.MILLISECONDS.sleep(RETRIED_AFTER.toMillis());
        }
      }
    }
    try {
      if (file != null && head != null) {
        file.force(false);
        var text = "%019d %s%n".formatted(chain.number(), chain.hash()).getBytes(US_ASCII);
        head.write(ByteBuffer.wrap(text), 0);
        head.force(false);
      }
    } catch (IOException failure) {
      failed(failure);
    }
    return ended;
  }

  /** Writes entries completely or not at all; returns whether it did. */
  private boolean write(Collection<AuditEntry> entries) {
    if (entries.isEmpty()) {
      return true;
    }
    try {
      var out = opened();
      var before = chain;
      var next = chain;
      var text = new StringBuilder();
      long gone = lost.get();
      var all = new ArrayList<>(entries);
      if (gone > 0) {
        all.add(missing(gone));
      }
      for (var entry : all) {
        var line = next.line(entry);
        text.append(line).append('\n');
        next = next.after(line);
      }
      var bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
      int size = bytes.remaining();
      try {
        while (bytes.hasRemaining()) {
          out.write(bytes, length + size - bytes.remaining());
        }
      } catch (IOException failure) {
        chain = before;
        out.truncate(length);
        throw failure;
      }
      chain = next;
      length += size;
      lost.addAndGet(-gone);
      recovered();
      return true;
    } catch (IOException failure) {
      failed(failure);
      closeFiles();
      return false;
    }
  }

  private AuditEntry missing(long count) {
    return new AuditEntry(clock.instant(), "agent", "", "", "lose", count + " entries", 0, "");
  }

  /** The file to append to; the next one if the present one is full. */
  private FileChannel opened() throws IOException {
    if (file == null) {
      resume();
    }
    if (file != null && length >= limits.fileBytes()) {
      file.force(false);
      file.close();
      file = null;
      create();
      prune();
    }
    if (file == null) {
      throw new IOException("the audit log is not open");
    }
    return file;
  }

  private void resume() throws IOException {
    FileAccess.PRIVATE.makeDirectories(directory);
    var names = names();
    var stated = stated();
    if (names.isEmpty()) {
      chain = stated.orElse(AuditChain.START);
      create();
    } else {
      var newest = directory.resolve(names.last());
      var text = Files.readString(newest, UTF_8);
      int end = text.lastIndexOf('\n') + 1; // what follows was cut off by a crash
      var last = text.substring(0, end).lines().reduce((one, next) -> next);
      var found = last.flatMap(AuditChain::endingWith);
      length = text.substring(0, end).getBytes(UTF_8).length;
      file = FileAccess.PRIVATE.open(newest, StandardOpenOption.WRITE);
      file.truncate(length);
      chain = found.or(() -> stated).orElse(AuditChain.START);
    }
    stated
        .filter(it -> it.number() > chain.number())
        .ifPresent(
            it -> {
              log.accept(
                  "%s: the lines %d to %d are missing; see: vw audit verify"
                      .formatted(directory, chain.number() + 1, it.number()));
              chain = it;
            });
    head =
        FileAccess.PRIVATE.open(
            directory.resolve(HEAD), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** The last line according to {@code head}. */
  private Optional<AuditChain> stated() {
    try {
      var words = Files.readString(directory.resolve(HEAD), US_ASCII).strip().split(" ", 2);
      return words.length == 2
          ? Optional.of(new AuditChain(Long.parseLong(words[0]), words[1]))
          : Optional.empty();
    } catch (IOException | NumberFormatException none) {
      return Optional.empty();
    }
  }

  private void create() throws IOException {
    var name = "audit-%015d.log".formatted(chain.number() + 1);
    file =
        FileAccess.PRIVATE.open(
            directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    length = 0;
  }

  private void prune() throws IOException {
    var names = names();
    while (names.size() > limits.files()) {
      Files.deleteIfExists(directory.resolve(String.valueOf(names.pollFirst())));
    }
  }

  private NavigableSet<String> names() throws IOException {
    var names = new TreeSet<String>();
    try (var files = Files.newDirectoryStream(directory, "audit-*.log")) {
      files.forEach(each -> names.add(String.valueOf(each.getFileName())));
    }
    return names;
  }

  private void failed(IOException failure) {
    var why = "%s: %s".formatted(directory, failure);
    if (problem.isEmpty()) {
      log.accept("the audit log cannot be written; entries wait in memory: " + why);
    }
    problem = Optional.of(why);
  }

  private void recovered() {
    if (problem.isPresent()) {
      log.accept("the audit log is written again");
      problem = Optional.empty();
    }
  }

  private void closeFiles() {
    for (var each : new FileChannel[] {file, head}) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (IOException ignored) {
        // Nothing is lost: every line was written, or waits.
      }
    }
    file = null;
    head = null;
  }

  /** Writes what waits, as far as that works, and ends. */
  @Override
  public void close() {
    if (!queue.offer(END)) {
      thread.interrupt();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
