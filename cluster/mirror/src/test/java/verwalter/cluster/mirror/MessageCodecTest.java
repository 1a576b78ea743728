package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;

class MessageCodecTest {
  private static final ResourceKey KEY = new ResourceKey("Event", "ä@n1");
  private static final ByteBuffer JSON =
      ByteBuffer.wrap(Codec.json(Trial.running(Trial.instance("web", "n1"), "started")));
  private static final List<Message> ALL =
      List.of(
          new Message.Hello(1, "n1", 7, 8, List.of(new Marks.Digest("Event", 3, -1))),
          new Message.Listing(
              List.of("Event"), List.of(new Message.Listing.Entry(KEY, Long.MIN_VALUE))),
          new Message.Changes(true, List.of(JSON, JSON), List.of(KEY)),
          new Message.Changes(false, List.of(), List.of()),
          new Message.Beat(List.of()),
          new Message.Answer(9, Optional.empty(), List.of(JSON)),
          new Message.Answer(
              9, Optional.of(new Refusal(Refusal.Reason.INVALID, KEY, "why")), List.of()),
          new Message.Ask(List.of("a"), List.of("b"), List.of(KEY, KEY)),
          new Message.Ack(),
          new Message.Request(
              3, List.of(new Message.Request.Item(Message.Request.Form.REMOVE, JSON))));

  @Test
  void readsWhatItHasWritten() throws IOException {
    for (var each : ALL) {
      assertThat(MessageCodec.read(MessageCodec.write(each))).isEqualTo(each);
    }
  }

  @Test
  void compressesObjects() {
    var changes = new Message.Changes(false, List.of(JSON), List.of());
    assertThat(MessageCodec.write(changes).length()).isLessThan(JSON.remaining() / 2);
  }

  @Test
  void writesHeartbeatsInFewBytes() {
    assertThat(MessageCodec.write(new Message.Beat(List.of())).length()).isEqualTo(5);
    assertThat(MessageCodec.write(new Message.Ack()).length()).isEqualTo(1);
  }

  @Test
  void refusesDamagedMessages() {
    var random = new SplittableRandom(1);
    for (var each : ALL) {
      var bytes = MessageCodec.write(each);
      for (int length = 0; length < bytes.length(); length++) {
        var cut = bytes.slice(0, length);
        assertThatThrownBy(() -> MessageCodec.read(cut)).isInstanceOf(IOException.class);
      }
      for (int i = 0; i < 500; i++) {
        var damaged = bytes.copy();
        damaged.setByte(random.nextInt(damaged.length()), (byte) random.nextInt());
        try {
          assertThat(MessageCodec.read(damaged)).isNotNull();
        } catch (IOException expected) {
          assertThat(expected).isNotNull();
        }
      }
    }
  }

  @Test
  void refusesMessagesThatGrowTooMuch() {
    var bomb = Buffer.buffer().appendByte((byte) 0x83).appendInt(MessageCodec.MOST_BYTES + 1);
    assertThatThrownBy(() -> MessageCodec.read(bomb))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bytes");
  }
}
