package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Write;

class WriteQueueTest {
  private final WriteQueue queue = new WriteQueue();

  private static Pending empty() {
    return Pending.transaction(List.of(), OptionalLong.empty());
  }

  /** A transaction of two writes with about so many bytes each. */
  private static Pending large(int bytes) {
    var node = Resource.of(Node.KIND, "n", new Node.Spec(false));
    var meta = node.meta().withAnnotations(java.util.Map.of("k", "x".repeat(bytes)));
    var write = new Write.Put(node.withMeta(meta));
    return Pending.transaction(WriteEncoder.encode(List.of(write, write)), OptionalLong.empty());
  }

  @Test
  void transactionsAreTakenInOrder() {
    assertThat(queue.isEmpty()).isTrue();
    var all = List.of(empty(), empty(), empty());
    all.forEach(queue::offer);
    assertThat(queue.isEmpty()).isFalse();
    assertThat(queue.take()).isEqualTo(all);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void aBatchHasAtMost512Transactions() {
    for (int i = 0; i < 600; i++) {
      queue.offer(empty());
    }
    assertThat(queue.take()).hasSize(512);
    assertThat(queue.take()).hasSize(88);
  }

  @Test
  void aBatchEndsWithTheTransactionThatFills8Mebibytes() {
    for (int i = 0; i < 20; i++) {
      queue.offer(large(1_000_000)); // 2 MB each
    }
    assertThat(queue.take()).hasSize(5);
    assertThat(queue.take()).hasSize(5);
  }

  @Test
  void onlySoManyTransactionsMayWait() {
    var one = empty();
    for (int i = 0; i < WriteQueue.MOST_WAITING; i++) {
      assertThat(queue.offer(one)).isTrue();
    }
    assertThat(queue.offer(one)).isFalse();
    assertThat(queue.offer(one)).isFalse();
    assertThat(queue.take()).hasSize(512);
    for (int i = 0; i < 512; i++) {
      assertThat(queue.offer(one)).isTrue();
    }
    assertThat(queue.offer(one)).isFalse();
  }

  @Test
  void aTransactionThatNobodyDecidedFails() {
    var pending = empty();
    pending.complete();
    assertThat(pending.future().failed()).isTrue();
  }

  @Test
  void batchHasAtMost8MebibytesBesidesItsLastTransaction() {
    int rest = (2 << 20) - (int) large(0).bytes();
    for (int i = 0; i < 5; i++) {
      queue.offer(large(rest / 2));
    }
    assertThat(queue.take()).extracting(Pending::bytes).containsOnly(2L << 20).hasSize(4);
  }
}
