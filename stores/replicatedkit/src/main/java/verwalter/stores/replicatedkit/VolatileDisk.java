package verwalter.stores.replicatedkit;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import verwalter.stores.local.JournalDisk;

/** A disk in memory that loses unforced data in a crash, and can fail at any write. */
public final class VolatileDisk implements JournalDisk {
  private static final class File {
    private byte[] bytes = {};
    private int size;
    private int forced;

    private void append(ByteBuffer more) {
      int end = size + more.remaining();
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
      }
      more.get(bytes, size, more.remaining());
      size = end;
    }

    private File afterCrash(RandomGenerator random) {
      var copy = new File();
      copy.size = forced + random.nextInt(Math.max(0, size - forced) + 1);
      copy.bytes = Arrays.copyOf(bytes, copy.size);
      copy.forced = copy.size;
      return copy;
    }
  }

  private final TreeMap<String, File> names = new TreeMap<>();
  private final TreeMap<String, File> forcedNames = new TreeMap<>();
  private final List<Consumer<Map<String, File>>> unforced = new ArrayList<>();
  private int points;
  private int failAt = -1;
  private String failure = "";
  private boolean down;

  /** The number of writes, forces and changes of names so far. */
  public int points() {
    return points;
  }

  /** Fails permanently after this number of other points. */
  public void failAfter(int later) {
    failAt = points + later;
    failure = "";
  }

  /** Fails once with this message after a number of other points. */
  public void failOnce(int later, String message) {
    failAt = points + later;
    failure = message;
  }

  /** Does not fail any more. */
  public void repair() {
    failAt = -1;
  }

  /** Whether it has failed permanently. */
  public boolean isDown() {
    return down;
  }

  /** The disk after a crash. */
  public VolatileDisk afterCrash(RandomGenerator random) {
    var next = new VolatileDisk();
    var found = new TreeMap<>(forcedNames);
    unforced.subList(0, random.nextInt(unforced.size() + 1)).forEach(each -> each.accept(found));
    var copies = new IdentityHashMap<File, File>();
    found.forEach(
        (name, file) ->
            next.names.put(name, copies.computeIfAbsent(file, any -> any.afterCrash(random))));
    next.forcedNames.putAll(next.names);
    return next;
  }

  private void point() throws IOException {
    if (down) {
      throw new IOException("the disk is down");
    }
    if (points++ == failAt) {
      down = failure.isEmpty();
      throw new IOException(down ? "the power failed" : failure);
    }
  }

  private void change(Consumer<Map<String, File>> change) {
    change.accept(names);
    unforced.add(change);
  }

  private File file(String name) throws IOException {
    var file = names.get(name);
    if (file == null) {
      throw new FileNotFoundException(name);
    }
    return file;
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public InputStream read(String name) throws IOException {
    var file = file(name);
    return new ByteArrayInputStream(file.bytes, 0, file.size);
  }

  @Override
  public Appender create(String name) throws IOException {
    point();
    var file = new File();
    change(all -> all.put(name, file));
    return new Open(file);
  }

  @Override
  public Appender append(String name) throws IOException {
    return new Open(file(name));
  }

  @Override
  public void truncate(String name, long size) throws IOException {
    point();
    var file = file(name);
    file.size = Math.toIntExact(size);
    file.forced = file.size;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    point();
    var file = file(from);
    change(
        all -> {
          all.remove(from);
          all.put(to, file);
        });
  }

  @Override
  public void delete(String name) throws IOException {
    point();
    change(all -> all.remove(name));
  }

  @Override
  public void force() throws IOException {
    point();
    forcedNames.clear();
    forcedNames.putAll(names);
    unforced.clear();
  }

  @Override
  public Closeable lock() {
    return () -> {};
  }

  @Override
  public String toString() {
    return "the disk";
  }

  private final class Open implements Appender {
    private final File file;

    private Open(File file) {
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      point();
      file.append(bytes);
    }

    @Override
    public void force() throws IOException {
      point();
      file.forced = file.size;
    }

    @Override
    public void overwrite(ByteBuffer bytes) throws IOException {
      point();
      file.bytes = new byte[bytes.remaining()];
      file.size = 0;
      file.append(bytes);
    }

    @Override
    public void takeBack(long size) throws IOException {
      point();
      file.size = Math.toIntExact(size);
      file.forced = file.size;
    }

    @Override
    public void close() {}
  }
}
