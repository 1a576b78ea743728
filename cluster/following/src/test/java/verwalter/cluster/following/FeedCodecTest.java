package verwalter.cluster.following;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Term;

class FeedCodecTest {
  private static final List<FeedMessage> ALL =
      List.of(
          new FeedMessage.Hello(1, 42),
          new FeedMessage.Ack(),
          new FeedMessage.Entries(7, List.of(entry(4), entry(100_000), entry(9))),
          new FeedMessage.Gone(99),
          new FeedMessage.Leader(Optional.empty()),
          new FeedMessage.Leader(Optional.of(new Term("a".repeat(32), 5L << 40))),
          new FeedMessage.Beat());

  private static ByteBuffer entry(int size) {
    var bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void messagesAreReadAsTheyWereWritten() throws IOException {
    for (var each : ALL) {
      assertThat(FeedCodec.read(FeedCodec.write(each))).isEqualTo(each);
    }
  }

  @Test
  void damagedMessagesAreRefused() {
    var random = new Random(1);
    for (var each : ALL) {
      var bytes = FeedCodec.write(each);
      for (int length = 0; length < Math.min(bytes.length(), 200); length++) {
        readOrRefuse(bytes.copy().slice(0, length).copy());
      }
      for (int i = 0; i < 500; i++) {
        var damaged = bytes.copy();
        damaged.setByte(random.nextInt(bytes.length()), (byte) random.nextInt());
        readOrRefuse(damaged);
      }
    }
  }

  @Test
  void aMessageThatIsTooLargeIsRefused() {
    var bytes =
        FeedCodec.write(new FeedMessage.Entries(1, List.of(entry(8))))
            .setInt(9, FeedCodec.MOST_BYTES + 1);
    assertThatThrownBy(() -> FeedCodec.read(bytes)).isInstanceOf(IOException.class);
  }

  private static void readOrRefuse(Buffer bytes) {
    try {
      assertThat(FeedCodec.read(bytes)).isNotNull();
    } catch (IOException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
