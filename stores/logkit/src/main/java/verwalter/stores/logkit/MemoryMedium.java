package verwalter.stores.logkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import verwalter.stores.engine.Log;

/** The entries of a {@link MemoryLog}, for as long as a test holds it. Belongs to one thread. */
public final class MemoryMedium implements LogMedium {
  private final int longest;
  private final List<Kept> entries = new ArrayList<>();
  private List<byte[]> snapshot = List.of();
  private long base;
  private long version;

  /** How many of the entries last; a crash may take the others. */
  private int lasting;

  /** The beginning of an entry that was not written to its end. */
  private boolean torn;

  private int steps;
  private int failAt = Integer.MAX_VALUE;
  private boolean down;
  private boolean refuses;

  /** An entry and its number. */
  record Kept(long index, ByteBuffer bytes) {}

  /**
   * An empty medium.
   *
   * @param longest how many entries are kept until a snapshot takes their place
   */
  public MemoryMedium(int longest) {
    this.longest = longest;
  }

  @Override
  public Log open() {
    return new MemoryLog(this);
  }

  long base() {
    return base;
  }

  long version() {
    return version;
  }

  List<byte[]> snapshot() {
    return snapshot;
  }

  List<Kept> entries() {
    return List.copyOf(entries);
  }

  boolean isLong() {
    return entries.size() >= longest;
  }

  void dropTornEnd() {
    torn = false;
    lasting = entries.size();
  }

  private void step() throws IOException {
    if (down || steps++ == failAt) {
      down = true;
      throw new IOException("the medium failed");
    }
  }

  /** Writes entries that last when it returns; false if there is no room for them. */
  boolean write(long first, List<byte[]> more) throws IOException {
    if (refuses) {
      refuses = false;
      return false;
    }
    for (int i = 0; i < more.size(); i++) {
      step();
      entries.add(new Kept(first + i, ByteBuffer.wrap(more.get(i))));
    }
    step();
    lasting = entries.size();
    return true;
  }

  /** Keeps a snapshot in place of the entries up to {@code index}. */
  void trim(long index, long at, List<byte[]> blocks) throws IOException {
    step();
    snapshot = List.copyOf(blocks);
    base = index;
    version = at;
    entries.removeIf(each -> each.index() <= index);
    lasting = entries.size();
  }

  @Override
  public int steps() {
    return steps;
  }

  @Override
  public void failAt(int step) {
    failAt = step;
  }

  @Override
  public void refuseNext() {
    refuses = true;
  }

  @Override
  public LogMedium afterCrash(long seed) {
    var random = new SplittableRandom(seed);
    var found = new MemoryMedium(longest);
    int kept = lasting + random.nextInt(entries.size() - lasting + 1);
    found.entries.addAll(entries.subList(0, kept));
    found.torn = kept < entries.size() && random.nextBoolean();
    found.snapshot = snapshot;
    found.base = base;
    found.version = version;
    found.lasting = kept;
    return found;
  }

  @Override
  public void tear() {
    torn = true;
  }

  @Override
  public boolean loseOne() {
    if (entries.size() < 3) {
      return false;
    }
    entries.remove(entries.size() / 2);
    return true;
  }

  @Override
  public String toString() {
    return "%d entries behind %d%s".formatted(entries.size(), base, torn ? ", and a torn one" : "");
  }
}
