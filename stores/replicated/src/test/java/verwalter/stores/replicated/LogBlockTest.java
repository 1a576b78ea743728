package verwalter.stores.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LogBlockTest {
  private static final UUID ID = new UUID(1, 2);

  private static LogBlock block(String... texts) {
    return new LogBlock(ID, List.of(texts).stream().map(each -> bytes(each)).toList());
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Property
  void readsWhatItWrites(@ForAll @Size(min = 1, max = 20) List<byte[]> contents) {
    var block = new LogBlock(UUID.randomUUID(), contents.stream().map(ByteBuffer::wrap).toList());
    var bytes = block.bytes();
    assertThat(bytes).hasSize(Math.toIntExact(LogBlock.size(block.entries())));
    assertThat(LogBlock.read(bytes)).isEqualTo(block);
  }

  @Test
  void refusesEveryFlippedBit() {
    var bytes = block("a", "", "ccc").bytes();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      var damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> LogBlock.read(damaged)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusesEveryCut() {
    var bytes = block("a", "", "ccc").bytes();
    for (int length = 0; length < bytes.length; length++) {
      var cut = java.util.Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> LogBlock.read(cut)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusesOtherFormats() {
    var bytes = ByteBuffer.wrap(block("a").bytes());
    bytes.put(4, (byte) 9);
    var checksum = new java.util.zip.CRC32C();
    checksum.update(bytes.array(), 4, bytes.capacity() - 4);
    bytes.putInt(0, (int) checksum.getValue());
    assertThatThrownBy(() -> LogBlock.read(bytes.array()))
        .hasMessageContaining("format 9")
        .hasMessageContaining("format 1");
  }

  @Test
  void refusesBlockWithoutEntries() {
    assertThatThrownBy(() -> new LogBlock(ID, List.of())).hasMessageContaining("without entries");
  }
}
