package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.stores.cluster.PeerSnapshot;

class SnapshotBytesTest {
  private static final PeerSnapshot SNAPSHOT =
      new PeerSnapshot(
          7, 8, List.of(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {4})));

  @Test
  void readsWhatItWrites() {
    assertThat(SnapshotBytes.read(SnapshotBytes.of(SNAPSHOT)).result()).isEqualTo(SNAPSHOT);
  }

  @Test
  void refusesLengthsThatDoNotFit() {
    var bytes = SnapshotBytes.of(SNAPSHOT);
    int whole = bytes.length();
    for (int length = 0; length < whole; length++) {
      boolean atBlock = length == 16 || length == 23;
      assertThat(SnapshotBytes.read(bytes.getBuffer(0, length)).succeeded())
          .as("%d bytes", length)
          .isEqualTo(atBlock);
    }
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 9}) {
      var damaged = Buffer.buffer().appendBuffer(bytes).setInt(16, length);
      assertThat(SnapshotBytes.read(damaged).failed()).as("length %d", length).isTrue();
    }
  }
}
