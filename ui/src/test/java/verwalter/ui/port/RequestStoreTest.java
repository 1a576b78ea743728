package verwalter.ui.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.engine.MemoryStore;

class RequestStoreTest {
  private static final Resource<Node.Spec, Node.Status> NODE =
      Resource.of(Node.KIND, "n1", new Node.Spec(true));

  private final MemoryStore store =
      new MemoryStore(Clock.systemUTC(), () -> UUID.randomUUID().toString());
  private long epoch;

  @BeforeEach
  void begin() {
    epoch = store.beginEpoch(7).result();
  }

  /** A store whose authors lead in these epochs, one after the other. */
  private ObjectStore asking(OptionalLong... epochs) {
    Queue<OptionalLong> next = new ArrayDeque<>(List.of(epochs));
    return new RequestStore(
        store, () -> new Author(Writer.OPERATOR, Optional.empty(), next.remove()));
  }

  @Test
  void repeatsAWriteOfTheEpochBefore() {
    var written = asking(OptionalLong.of(epoch - 1), OptionalLong.of(epoch)).put(NODE);

    assertThat(written.succeeded()).isTrue();
    assertThat(store.get(Node.KIND, "n1")).isPresent();
  }

  @Test
  void refusesAWriteOfTheEpochBeforeAtANodeThatDoesNotLead() {
    var written = asking(OptionalLong.of(epoch - 1), OptionalLong.empty()).put(NODE);

    assertThat(written.cause()).isInstanceOf(StoreException.Fenced.class);
    assertThat(store.get(Node.KIND, "n1")).isEmpty();
  }
}
