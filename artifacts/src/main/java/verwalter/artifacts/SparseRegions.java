package verwalter.artifacts;

import java.util.ArrayList;
import java.util.List;

/** The regions of a sparse file that an archive holds; the bytes between them are zero. */
final class SparseRegions {
  /** More regions are refused. */
  static final int MOST = 20_000;

  /** A region of the file: the offset of its first byte, and its size in bytes. */
  record Region(long offset, long bytes) {}

  private final List<Region> regions = new ArrayList<>();
  private long end;
  private long stored;

  /** Regions come in order and do not overlap. */
  void add(long offset, long bytes) throws MalformedArchive {
    if (offset < end || bytes < 0 || offset > Long.MAX_VALUE - bytes) {
      throw new MalformedArchive("the regions of a sparse file overlap");
    } else if (regions.size() == MOST) {
      throw new MalformedArchive("a sparse file has more than %d regions".formatted(MOST));
    }
    end = offset + bytes;
    stored += bytes;
    if (bytes > 0) {
      regions.add(new Region(offset, bytes));
    }
  }

  /** Checks the regions against the size of the file and the bytes in the archive. */
  List<Region> checked(long realSize, long storedSize) throws MalformedArchive {
    if (end > realSize || stored != storedSize) {
      throw new MalformedArchive("the regions of a sparse file do not match its size");
    }
    return List.copyOf(regions);
  }
}
