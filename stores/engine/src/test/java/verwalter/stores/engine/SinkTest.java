package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SinkTest {
  private final Sink sink = new Sink();

  @Test
  void aTextHasAtMost65535Bytes() {
    var longest = "x".repeat(65_535);
    sink.text(longest);
    assertThat(Sink.text(sink.bytes())).isEqualTo(longest);
    assertThatThrownBy(() -> sink.text(longest + "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536 bytes");
  }

  @Test
  void aSinkGrowsWithWhatItHolds() {
    for (int i = 0; i < 40_000; i++) {
      sink.number((long) i);
      sink.text("text " + i);
      sink.number((byte) i);
      sink.number((short) i);
      sink.number(i);
    }
    var bytes = sink.bytes();
    for (int i = 0; i < 40_000; i++) {
      assertThat(bytes.getLong()).isEqualTo(i);
      assertThat(Sink.text(bytes)).isEqualTo("text " + i);
      assertThat(bytes.get()).isEqualTo((byte) i);
      assertThat(bytes.getShort()).isEqualTo((short) i);
      assertThat(bytes.getInt()).isEqualTo(i);
    }
    assertThat(bytes.hasRemaining()).isFalse();
  }

  @Test
  void aBlockThatFillsTheSinkIsTaken() {
    for (int length : new int[] {65_532, 65_533, 200_000}) {
      sink.clear();
      sink.block(ByteBuffer.allocate(length));
      assertThat(sink.size()).isEqualTo(length + 4);
      assertThat(sink.bytes().getInt()).isEqualTo(length);
    }
  }

  @Test
  void aClearedSinkBeginsAgain() {
    sink.raw(ByteBuffer.allocate(17 << 20));
    sink.clear();
    assertThat(sink.size()).isZero();
    sink.number(7);
    assertThat(sink.bytes()).isEqualTo(ByteBuffer.allocate(4).putInt(7).flip());
  }

  @Test
  void partOfASinkAndANumberInItCanBeSet() {
    sink.number(1);
    sink.number(2);
    sink.number(3);
    sink.numberAt(4, 9);
    assertThat(sink.from(4)).isEqualTo(ByteBuffer.allocate(8).putInt(9).putInt(3).flip());
    assertThat(sink.size()).isEqualTo(12);
  }
}
