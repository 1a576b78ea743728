package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import verwalter.stores.cluster.PeerSnapshot;

/** A snapshot as it is transferred: index, version, and each block behind its length. */
final class SnapshotBytes {
  private static final int HEAD = Long.BYTES + Long.BYTES;

  static Buffer of(PeerSnapshot snapshot) {
    var bytes = Buffer.buffer().appendLong(snapshot.index()).appendLong(snapshot.version());
    for (var block : snapshot.blocks()) {
      var content = new byte[block.remaining()];
      block.duplicate().get(content);
      bytes.appendInt(content.length).appendBytes(content);
    }
    return bytes;
  }

  /** Fails if lengths do not fit together. The store checks the blocks. */
  static Future<PeerSnapshot> read(Buffer bytes) {
    if (bytes.length() < HEAD) {
      return Future.failedFuture(
          new IOException("a snapshot of %d bytes".formatted(bytes.length())));
    }
    var blocks = new ArrayList<ByteBuffer>();
    int at = HEAD;
    while (at < bytes.length()) {
      int left = bytes.length() - at - Integer.BYTES;
      int length = left < 0 ? -1 : bytes.getInt(at);
      if (length < 0 || length > left) {
        return Future.failedFuture(
            new IOException("the snapshot is damaged at byte %d".formatted(at)));
      }
      at += Integer.BYTES;
      blocks.add(ByteBuffer.wrap(bytes.getBytes(at, at + length)));
      at += length;
    }
    return Future.succeededFuture(
        new PeerSnapshot(bytes.getLong(0), bytes.getLong(Long.BYTES), blocks));
  }

  private SnapshotBytes() {}
}
