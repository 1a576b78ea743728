package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stops the program before every change of the disk. */
class ReleaseCrashTest {
  private static final byte[] ARCHIVE =
      new TarBytes().file("bin/a", "one").link("l", "bin/a").hardLink("h", "bin/a").bytes();

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private static void create(Machine machine, DiskSteps steps)
      throws IOException, ArtifactException {
    machine.store(steps).create("k", machine.blob(ARCHIVE), WorkProgress.NONE, new Cancellation());
  }

  @Test
  void anInterruptedCreationLeavesNothingOrAReleaseAfterRecovery()
      throws IOException, ArtifactException {
    var whole = new Machine(Files.createDirectory(root.resolve("whole")));
    var counted = Crash.never();
    create(whole, counted);
    var expected = Machine.tree(whole.releases);
    assertThat(counted.steps()).isGreaterThan(25);
    for (int step = 0; step < counted.steps(); step++) {
      var machine = new Machine(Files.createDirectory(root.resolve("c" + step)));
      var crash = Crash.before(step);
      assertThatThrownBy(() -> create(machine, crash)).isInstanceOf(Crash.Stopped.class);
      var seen = machine.store().find("k");
      machine.store().recover();
      var found = machine.store().find("k");
      assertThat(found).as("step %d", step).isEqualTo(seen);
      if (found.isPresent()) {
        assertThat(machine.store().verify("k", WorkProgress.NONE, new Cancellation())).isEmpty();
        assertThat(Machine.tree(machine.releases)).isEqualTo(expected);
      } else {
        assertThat(tree(machine.releases)).as("step %d", step).isEmpty();
      }
      create(machine, DiskSteps.NONE);
      assertThat(Machine.tree(machine.releases)).isEqualTo(expected);
    }
  }

  @Test
  void aCreationAfterACrashNeedsNoRecovery() throws IOException, ArtifactException {
    var whole = new Machine(Files.createDirectory(root.resolve("whole")));
    var counted = Crash.never();
    create(whole, counted);
    for (int step = 0; step < counted.steps(); step++) {
      var machine = new Machine(Files.createDirectory(root.resolve("d" + step)));
      var crash = Crash.before(step);
      assertThatThrownBy(() -> create(machine, crash)).isInstanceOf(Crash.Stopped.class);
      create(machine, DiskSteps.NONE);
      var tree = Machine.tree(machine.releases);
      tree.keySet().removeIf(it -> it.startsWith(".tmp"));
      assertThat(tree).isEqualTo(Machine.tree(whole.releases));
    }
  }

  @Test
  void anInterruptedRemovalLeavesTheReleaseOrNothingAfterRecovery()
      throws IOException, ArtifactException {
    var whole = new Machine(Files.createDirectory(root.resolve("whole")));
    create(whole, DiskSteps.NONE);
    var expected = Machine.tree(whole.releases);
    var counted = Crash.never();
    whole.store(counted).remove("k", new Cancellation());
    assertThat(tree(whole.releases)).isEmpty();
    assertThat(counted.steps()).isGreaterThan(8);
    for (int step = 0; step < counted.steps(); step++) {
      var machine = new Machine(Files.createDirectory(root.resolve("r" + step)));
      create(machine, DiskSteps.NONE);
      var crash = Crash.before(step);
      assertThatThrownBy(() -> machine.store(crash).remove("k", new Cancellation()))
          .isInstanceOf(Crash.Stopped.class);
      boolean isThere = machine.store().find("k").isPresent();
      machine.store().recover();
      assertThat(tree(machine.releases)).isEqualTo(isThere ? expected : Map.of());
    }
  }

  @Test
  void everythingIsSyncedBeforeTheReleaseGetsItsName() throws IOException, ArtifactException {
    var machine = new Machine(root);
    var crash = Crash.never();
    create(machine, crash);
    var trace = crash.trace();
    var release = machine.releases.resolve("k");
    var fresh = machine.releases.resolve(".new-k");
    int renamed = trace.indexOf("rename " + release);
    for (var it : new String[] {"", "/manifest", "/files", "/files/bin", "/files/bin/a"}) {
      int synced = trace.lastIndexOf("sync " + fresh + it);
      assertThat(synced).as(it).isBetween(0, renamed);
      assertThat(trace.subList(synced, renamed))
          .as(it)
          .noneMatch(step -> changes(step, fresh + it));
    }
    int marked = trace.indexOf("rename " + machine.releases.resolve(".creating-k"));
    assertThat(trace.get(marked + 1)).isEqualTo("sync " + machine.releases);
    assertThat(marked + 1).isLessThan(trace.indexOf("mkdir " + fresh));
    assertThat(trace.subList(renamed + 1, trace.size()))
        .containsExactly(
            "sync " + machine.releases,
            "delete " + machine.releases.resolve(".creating-k"),
            "sync " + machine.releases);
  }

  private static boolean changes(String step, String path) {
    var words = step.split(" ", 2);
    return !words[0].equals("sync")
        && (words[1].equals(path) || String.valueOf(Path.of(words[1]).getParent()).equals(path));
  }

  private static Map<String, String> tree(Path directory) throws IOException {
    return Files.exists(directory) ? Machine.tree(directory) : new TreeMap<>();
  }
}
