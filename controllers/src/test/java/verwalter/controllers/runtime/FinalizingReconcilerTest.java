package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

class FinalizingReconcilerTest {
  private static final String FINALIZER = "verwalter.io/test";

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final List<String> calls = new ArrayList<>();
  private final Reconciler reconciler =
      FinalizingReconciler.over(store, Node.KIND, FINALIZER, new Recorder());
  private boolean cleaned;
  private boolean concerns = true;

  private final class Recorder implements FinalizingReconciler<Node.Spec, Node.Status> {
    @Override
    public boolean concerns(Resource<Node.Spec, Node.Status> object) {
      return concerns;
    }

    @Override
    public Future<Result> reconcile(Resource<Node.Spec, Node.Status> object) {
      calls.add("reconcile " + object.meta().finalizers());
      return Future.succeededFuture(Result.again(Duration.ofSeconds(7)));
    }

    @Override
    public Future<Boolean> cleanUp(Resource<Node.Spec, Node.Status> object) {
      calls.add("cleanUp");
      return Future.succeededFuture(cleaned);
    }
  }

  @BeforeEach
  void node() {
    world.await(store.put(Resource.of(Node.KIND, "n1", new Node.Spec(false))));
  }

  private Result run() {
    return world.await(reconciler.reconcile(Node.KIND.key("n1")));
  }

  private List<String> finalizers() {
    return store.get(Node.KIND, "n1").orElseThrow().meta().finalizers();
  }

  private void delete() {
    world.await(store.remove(store.get(Node.KIND, "n1").orElseThrow()));
  }

  @Test
  void theFinalizerIsAddedBeforeTheFirstReconcile() {
    assertThat(run()).isEqualTo(Result.again(Duration.ofSeconds(7)));

    assertThat(calls).containsExactly("reconcile [" + FINALIZER + "]");
    assertThat(finalizers()).containsExactly(FINALIZER);
    long revision = store.revision();
    run();
    assertThat(calls).hasSize(2);
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void aDeletedObjectIsRemovedAfterTheCleanup() {
    run();
    delete();
    calls.clear();

    assertThat(run()).isEqualTo(Result.DONE);
    assertThat(calls).containsExactly("cleanUp");
    assertThat(finalizers()).containsExactly(FINALIZER);

    cleaned = true;
    assertThat(run()).isEqualTo(Result.DONE);
    assertThat(store.get(Node.KIND, "n1")).isEmpty();
  }

  @Test
  void aDeletedObjectWithoutTheFinalizerIsNotTouched() {
    var node = store.get(Node.KIND, "n1").orElseThrow();
    world.await(store.put(node.withMeta(node.meta().adding("someone/else"))));
    delete();

    assertThat(run()).isEqualTo(Result.DONE);
    assertThat(calls).isEmpty();
  }

  @Test
  void anObjectThatDoesNotConcernTheControllerIsNotTouched() {
    concerns = false;

    assertThat(run()).isEqualTo(Result.DONE);
    assertThat(calls).isEmpty();
    assertThat(finalizers()).isEmpty();
  }

  @Test
  void aRemovedObjectIsDone() {
    delete();

    assertThat(run()).isEqualTo(Result.DONE);
    assertThat(calls).isEmpty();
  }

  @Test
  void everyObjectConcernsTheControllerByDefault() {
    var plain =
        new FinalizingReconciler<Node.Spec, Node.Status>() {
          @Override
          public Future<Result> reconcile(Resource<Node.Spec, Node.Status> object) {
            return Result.done();
          }

          @Override
          public Future<Boolean> cleanUp(Resource<Node.Spec, Node.Status> object) {
            return Future.succeededFuture(true);
          }
        };

    assertThat(plain.concerns(store.get(Node.KIND, "n1").orElseThrow())).isTrue();
  }

  @Test
  void aFinalizerThatCannotBeRemovedIsAFailure() {
    run();
    delete();
    cleaned = true;
    var faulty = new FaultyStore(store, world, new Faults(1, 0, Duration.ZERO, Duration.ZERO));
    var unlucky = FinalizingReconciler.over(faulty, Node.KIND, FINALIZER, new Recorder());

    assertThat(world.failure(unlucky.reconcile(Node.KIND.key("n1"))))
        .isInstanceOf(IOException.class);
    assertThat(finalizers()).containsExactly(FINALIZER);
  }
}
