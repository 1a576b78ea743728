package verwalter.stores.local;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A disk in memory that loses unforced data in a crash, like a real disk after a power failure. It
 * can fail at any write, force, rename and deletion.
 */
final class CrashDisk implements JournalDisk {
  /** What happens to unforced data in a crash. */
  enum Loss {
    /** All of it is lost. */
    ALL,
    /** None of it is lost: only the process ends. */
    NONE,
    /** Some of it is lost, and some becomes zeros. */
    SOME
  }

  private static final class File {
    byte[] bytes = {};
    int forced;

    /** The bytes before they were overwritten; null if that was forced. */
    byte[] overwritten;

    File copy() {
      var copy = new File();
      copy.bytes = bytes.clone();
      copy.forced = forced;
      copy.overwritten = overwritten;
      return copy;
    }
  }

  private final TreeMap<String, File> names = new TreeMap<>();
  private final TreeMap<String, File> forcedNames = new TreeMap<>();
  private final List<Consumer<Map<String, File>>> unforced = new ArrayList<>();
  private boolean locked;
  private int points;
  private int failAt = Integer.MAX_VALUE;
  private boolean down;
  private String failure = "the power failed";

  /** The number of points so far at which it could have failed. */
  int points() {
    return points;
  }

  /** Fails permanently at the point with this number, in the middle of its operation. */
  void crashAt(int point) {
    failAt = point;
  }

  /** Fails once with this message, after {@code later} other points. */
  void failAfter(int later, String message) {
    failAt = points + later;
    failure = message;
  }

  private void check() throws IOException {
    if (down) {
      throw new IOException("the disk is down");
    }
  }

  /** Whether to fail here, in the middle of the operation. */
  private boolean point() throws IOException {
    check();
    return points++ == failAt;
  }

  private IOException broken() {
    down = failure.startsWith("the power");
    return new IOException(failure);
  }

  /** The disk after a crash. If only the process ended, unforced data remains unforced. */
  CrashDisk afterCrash(Loss loss, Random random) {
    var next = new CrashDisk();
    var copies = new IdentityHashMap<File, File>();
    if (loss == Loss.NONE) {
      forcedNames.forEach((name, file) -> next.forcedNames.put(name, copy(file, copies)));
      names.forEach((name, file) -> next.names.put(name, copy(file, copies)));
      var all = Map.copyOf(next.names);
      next.unforced.add(
          found -> {
            found.clear();
            found.putAll(all);
          });
      return next;
    }
    var found = new TreeMap<>(forcedNames);
    int kept = loss == Loss.ALL ? 0 : random.nextInt(unforced.size() + 1);
    unforced.subList(0, kept).forEach(change -> change.accept(found));
    found.forEach(
        (name, file) -> {
          var copy = copy(file, copies);
          tear(copy, loss, random);
          copy.forced = copy.bytes.length;
          next.names.put(name, copy);
        });
    next.forcedNames.putAll(next.names);
    return next;
  }

  private static File copy(File file, Map<File, File> copies) {
    return copies.computeIfAbsent(file, File::copy);
  }

  private static void tear(File file, Loss loss, Random random) {
    if (file.overwritten != null && (loss == Loss.ALL || random.nextBoolean())) {
      file.bytes = file.overwritten;
    }
    file.overwritten = null;
    int more = file.bytes.length - file.forced;
    if (loss == Loss.ALL) {
      file.bytes = Arrays.copyOf(file.bytes, file.forced);
    } else if (loss == Loss.SOME && more > 0) {
      int kept = file.forced + random.nextInt(more + 1);
      file.bytes = Arrays.copyOf(file.bytes, kept);
      if (kept > file.forced && random.nextInt(3) == 0) {
        int from = file.forced + random.nextInt(kept - file.forced);
        Arrays.fill(file.bytes, from, Math.min(kept, from + 1 + random.nextInt(64)), (byte) 0);
      }
    }
  }

  /** The names of all files. */
  List<String> names() {
    return List.copyOf(names.keySet());
  }

  /** Loses a file for good. */
  void forget(String name) {
    names.remove(name);
    forcedNames.remove(name);
  }

  byte[] content(String name) {
    return file(name).bytes.clone();
  }

  void damage(String name, int at) {
    file(name).bytes[at] ^= 0x40;
  }

  void put(String name, byte[] bytes) {
    var file = new File();
    file.bytes = bytes.clone();
    file.forced = bytes.length;
    names.put(name, file);
    forcedNames.put(name, file);
  }

  private File file(String name) {
    var file = names.get(name);
    if (file == null) {
      throw new IllegalArgumentException("no " + name + " in " + names.keySet());
    }
    return file;
  }

  private void change(Consumer<Map<String, File>> change) {
    change.accept(names);
    unforced.add(change);
  }

  @Override
  public List<String> list() throws IOException {
    check();
    return List.copyOf(names.keySet());
  }

  @Override
  public InputStream read(String name) throws IOException {
    check();
    return new ByteArrayInputStream(file(name).bytes.clone());
  }

  @Override
  public Appender create(String name) throws IOException {
    if (point()) {
      throw broken();
    }
    var file = new File();
    change(all -> all.put(name, file));
    return new Open(file);
  }

  @Override
  public Appender append(String name) throws IOException {
    check();
    return new Open(file(name));
  }

  @Override
  public void truncate(String name, long size) throws IOException {
    if (point()) {
      throw broken();
    }
    var file = file(name);
    file.bytes = Arrays.copyOf(file.bytes, (int) size);
    file.forced = (int) size;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    boolean fail = point();
    var file = file(from);
    change(
        all -> {
          all.remove(from);
          all.put(to, file);
        });
    if (fail) {
      throw broken();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    boolean fail = point();
    change(all -> all.remove(name));
    if (fail) {
      throw broken();
    }
  }

  @Override
  public void force() throws IOException {
    if (point()) {
      throw broken();
    }
    forcedNames.clear();
    forcedNames.putAll(names);
    unforced.clear();
  }

  @Override
  public Closeable lock() throws IOException {
    if (locked) {
      throw new StoreInUse("memory", "this test");
    }
    locked = true;
    return () -> locked = false;
  }

  @Override
  public String toString() {
    return "memory";
  }

  private final class Open implements Appender {
    private final File file;

    Open(File file) {
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      boolean fail = point();
      int more = fail ? bytes.remaining() / 2 : bytes.remaining();
      int end = file.bytes.length;
      file.bytes = Arrays.copyOf(file.bytes, end + more);
      bytes.get(file.bytes, end, more);
      if (fail) {
        throw broken();
      }
    }

    @Override
    public void force() throws IOException {
      if (point()) {
        throw broken();
      }
      file.forced = file.bytes.length;
      file.overwritten = null;
    }

    @Override
    public void overwrite(ByteBuffer bytes) throws IOException {
      if (point()) {
        throw broken();
      }
      if (bytes.remaining() != file.bytes.length) {
        throw new IllegalArgumentException("another length");
      }
      file.overwritten = file.overwritten == null ? file.bytes : file.overwritten;
      file.bytes = new byte[bytes.remaining()];
      bytes.get(file.bytes);
    }

    @Override
    public void takeBack(long size) throws IOException {
      if (point()) {
        throw broken();
      }
      file.bytes = Arrays.copyOf(file.bytes, (int) size);
      file.forced = file.bytes.length;
    }

    @Override
    public void close() {}
  }
}
