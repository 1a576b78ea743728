package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.Term;
import verwalter.cluster.forks.ForkState.Phase;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.Options;

class ForkFilesTest {
  private static final Term SIX = new Term("n1", 6);

  @TempDir private Path directory;
  private final VirtualWorld world = new VirtualWorld(3);

  private ForkFiles files() {
    return new ForkFiles(
        directory, Options.DEFAULT, world.loop("disk"), world.clock(), world.uids());
  }

  private static Snapshot snapshot() {
    return Snapshot.of(1, 1, List.of());
  }

  private HeldFork held() throws IOException {
    return new HeldFork("n1", files(), ForkFilesTest::snapshot, world.loop("side"));
  }

  @Test
  void promiseOnlyGrows() throws IOException {
    var files = files();
    files.write(new ForkState(SIX, 1, Phase.CLOSED));
    for (var older :
        List.of(
            new ForkState(new Term("n2", 5), 1, Phase.OPEN),
            new ForkState(new Term("n2", 6), 1, Phase.OPEN),
            new ForkState(SIX, 1, Phase.OPEN))) {
      assertThatThrownBy(() -> files.write(older)).isInstanceOf(IOException.class);
    }
    assertThat(files().state()).contains(new ForkState(SIX, 1, Phase.CLOSED));
  }

  @Test
  void readingDoesNotDeleteWhatAnotherWriteHasNotFinished() throws IOException {
    var files = files();
    files.writeStopped(Set.of("web"));
    var unfinished = Files.createFile(directory.resolve("fork.json.new"));
    assertThat(files.stopped()).containsExactly("web");
    assertThat(files.state()).isEmpty();
    assertThat(unfinished).exists();
  }

  @Test
  void forkThatCannotBeReadIsSetAside() throws IOException {
    var opened = files().begin(SIX, snapshot(), 1);
    opened.close();
    try (var parts = Files.list(directory.resolve("store"))) {
      for (var part : parts.toList()) {
        Files.writeString(part, "damaged");
      }
    }

    var held = held();

    assertThat(held.store()).isEmpty();
    assertThat(held.promise().epoch()).isEqualTo(6);
    assertThat(held.promise().admits(SIX)).isFalse();
    assertThat(directory.resolve("damaged-" + world.now().toEpochMilli()).resolve("store"))
        .exists();
  }

  @Test
  void stateThatCannotBeReadIsSetAside() throws IOException {
    files().begin(SIX, snapshot(), 1).close();
    Files.writeString(directory.resolve("fork.json"), "{\"leader\":7}");
    Files.writeString(directory.resolve("stopped.json"), "{");

    var held = held();

    assertThat(held.state()).isEmpty();
    assertThat(held.store()).isEmpty();
    assertThat(new StoppedRoles(files(), world.loop("roles"), () -> {}).contains("web")).isFalse();
  }

  @Test
  void ownTermIsKeptUntilItIsMergedWhereverACrashHappens() throws IOException {
    var files = files();
    files.begin(SIX, snapshot(), 1).close();
    files.setAside(new ForkState(SIX, 1, Phase.OPEN));
    assertThat(held().oldestEnded()).contains(new ForkState(SIX, 1, Phase.CLOSED));
    assertThat(held().store()).isEmpty();

    // As if the promise had not been written after the store was moved.
    Files.writeString(directory.resolve("fork.json"), new ForkState(SIX, 1, Phase.OPEN).text());
    var crashed = held();
    assertThat(crashed.oldestEnded()).isPresent();
    assertThat(crashed.store()).isEmpty();
    assertThat(crashed.promise().admits(SIX)).isFalse();

    var older = crashed.oldestEnded().orElseThrow();
    assertThat(world.await(crashed.open(older)).list(Schedule.KIND)).isEmpty();
    world.await(crashed.drop(older));
    assertThat(files().ended()).isEmpty();
  }

  @Test
  void anOwnForkThatIsReplacedIsKept() throws IOException {
    var held = held();
    world.await(held.accept(SIX, Long.MAX_VALUE));
    var store = held.store().orElseThrow();
    world.await(store.put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE)));

    world.await(held.accept(new Term("n2", 7), Long.MAX_VALUE));

    assertThat(held.isCopy()).isTrue();
    assertThat(held.store().orElseThrow().list(Schedule.KIND)).hasSize(1);
    assertThat(held.oldestEnded().map(ForkState::term)).contains(SIX);
    world.await(held.accept(new Term("n1", 8), Long.MAX_VALUE));
    assertThat(held.isOwn()).isTrue();
    assertThat(held.oldestEnded().map(ForkState::term)).contains(SIX);
    assertThat(held.term()).isEqualTo(Optional.of(new Term("n1", 8)));
    held.close();
  }

  @Test
  void aForkHasNothingOfTheLogThatTheForkOfItsLeaderDoesNotHave() throws IOException {
    var held = held();
    var own = snapshot().version();

    world.await(held.accept(new Term("n2", 6), own + 1));
    assertThat(held.state().orElseThrow().base()).isEqualTo(own);
    world.await(held.accept(new Term("n3", 7), 0));
    assertThat(held.state().orElseThrow().base()).isZero();
    world.await(held.accept(new Term("n1", 8), Long.MAX_VALUE));
    assertThat(held.state().orElseThrow().base()).isZero();
    held.close();
  }

  @Test
  void forkIsOpenedAgainAfterTheDiskHasFailed() throws IOException {
    var held = held();
    world.await(held.accept(SIX, Long.MAX_VALUE));
    world.await(
        held.store()
            .orElseThrow()
            .put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE)));
    var state = directory.resolve("fork.json");
    var kept = Files.move(state, directory.resolve("kept"));
    Files.createDirectory(state); // cannot be read or replaced

    world.failure(held.accept(new Term("n2", 7), Long.MAX_VALUE));
    assertThat(held.isUnknown()).isTrue();
    assertThat(held.store().orElseThrow().list(Schedule.KIND)).hasSize(1);
    world.failure(held.reopen());
    assertThat(held.isUnknown()).isTrue();
    Files.delete(state);
    Files.move(kept, state);
    world.await(held.reopen());

    assertThat(held.isUnknown()).isFalse();
    assertThat(held.promise().admits(SIX)).isFalse();
    assertThat(held.oldestEnded().map(ForkState::term)).contains(SIX);
    world.await(held.accept(new Term("n1", 8), Long.MAX_VALUE));
    assertThat(held.isOwn()).isTrue();
    held.close();
  }

  @Test
  void termThatIsOlderIsNotAccepted() throws IOException {
    var held = held();
    world.await(held.accept(SIX, Long.MAX_VALUE));
    world.failure(held.accept(new Term("n2", 5), Long.MAX_VALUE));
    assertThat(held.promise().admits(SIX)).isTrue();
    assertThat(held.store()).isPresent();
    held.close();
  }
}
