package verwalter.stores.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;

/**
 * All objects of a store after an entry of the log, in the blocks of a {@link Snapshot}.
 *
 * @param index the number of the entry
 * @param version the version of the state
 * @param blocks the blocks in order; they must not change afterwards
 */
public record PeerSnapshot(long index, long version, List<ByteBuffer> blocks) {
  public PeerSnapshot {
    blocks = List.copyOf(blocks);
  }

  /** The blocks of a snapshot. */
  public static PeerSnapshot of(Snapshot snapshot) {
    var blocks = new ArrayList<ByteBuffer>();
    try {
      snapshot.write(
          block -> blocks.add(ByteBuffer.allocate(block.remaining()).put(block.slice()).flip()));
    } catch (IOException impossible) { // nothing is written to a file
      throw new IllegalStateException(impossible);
    }
    return new PeerSnapshot(snapshot.index(), snapshot.version(), blocks);
  }

  /**
   * Reads everything.
   *
   * @throws IllegalArgumentException if blocks are missing
   */
  void read(Log.Reader reader) throws IOException {
    reader.begin(index, version);
    boolean complete = false;
    for (var block : blocks) {
      complete = reader.block(block.duplicate());
    }
    if (!complete) {
      throw new IllegalArgumentException("a snapshot without its last block");
    }
    reader.complete();
  }
}
