package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArtifactException.Reason;
import verwalter.artifacts.TreeDifference.Kind;

class ReleaseStoreTest {
  private static final byte[] ARCHIVE =
      new TarBytes().file("bin/a", "one").file("b", "two").link("l", "bin/a").bytes();

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private Machine machine;

  @BeforeEach
  void machine() {
    machine = new Machine(root);
  }

  @Test
  void aReleaseIsFoundByAnyOtherStore() throws IOException, ArtifactException {
    assertThat(machine.store().find("web/1.2/g1.l0/n1")).isEmpty();
    var release = machine.unpack(ARCHIVE);
    assertThat(machine.store().find(release.key())).contains(release);
    assertThat(machine.store().list()).containsExactly(release);
    assertThat(release.path()).isEqualTo(machine.releases.resolve("web+1.2+g1.l0+n1/files"));
    assertThat(release.entries()).isEqualTo(4);
    assertThat(release.bytes()).isEqualTo(6);
  }

  @Test
  void aSecondCreationReturnsTheRelease() throws IOException, ArtifactException {
    var release = machine.unpack(ARCHIVE);
    assertThat(machine.unpack(ARCHIVE)).isEqualTo(release);
    var other = new TarBytes().file("c", "").bytes();
    assertThatThrownBy(() -> machine.unpack(other))
        .hasMessageContaining("remove it first")
        .isInstanceOf(ArtifactException.class);
    assertThat(machine.store().find(release.key())).contains(release);
  }

  @Test
  void verifyListsWhatDiffers() throws IOException, ArtifactException {
    var release = machine.unpack(ARCHIVE);
    var files = release.path();
    open(files);
    Files.writeString(files.resolve("bin/a"), "onE");
    Files.delete(files.resolve("l"));
    Files.createSymbolicLink(files.resolve("l"), Path.of("b"));
    Files.delete(files.resolve("b"));
    Files.writeString(files.resolve("added"), "");
    assertThat(machine.store().verify(release.key(), WorkProgress.NONE, new Cancellation()))
        .containsExactlyInAnyOrder(
            new TreeDifference("bin/a", Kind.MODE),
            new TreeDifference("bin/a", Kind.CONTENT),
            new TreeDifference("bin", Kind.MODE),
            new TreeDifference("b", Kind.MISSING),
            new TreeDifference("l", Kind.TARGET),
            new TreeDifference("added", Kind.ADDED));
    Files.createDirectory(files.resolve("b"));
    assertThat(machine.store().verify(release.key(), WorkProgress.NONE, new Cancellation()))
        .contains(new TreeDifference("b", Kind.TYPE));
  }

  private static void open(Path files) throws IOException {
    for (var it : List.of("", "bin", "bin/a")) {
      Files.setPosixFilePermissions(
          files.resolve(it), PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aDamagedManifestIsReported() throws IOException, ArtifactException {
    var release = machine.unpack(ARCHIVE);
    var manifest = release.path().resolveSibling("manifest");
    var text = Files.readString(manifest);
    Files.setPosixFilePermissions(manifest, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(manifest, text.replace("f 0444 3", "f 0444 4"));
    assertThat(machine.store().verify(release.key(), WorkProgress.NONE, new Cancellation()))
        .containsExactly(new TreeDifference("", Kind.MANIFEST));
    Files.writeString(manifest, text.substring(0, text.length() - 10));
    assertThat(machine.store().find(release.key())).isEmpty();
    assertThatThrownBy(
            () -> machine.store().verify(release.key(), WorkProgress.NONE, new Cancellation()))
        .hasMessageContaining("there is no such release");
  }

  @Test
  void aRemovedReleaseIsGone() throws IOException, ArtifactException {
    var release = machine.unpack(ARCHIVE);
    machine.store().remove(release.key(), new Cancellation());
    machine.store().remove(release.key(), new Cancellation());
    assertThat(machine.store().list()).isEmpty();
    assertThat(machine.releases).isEmptyDirectory();
  }

  @Test
  void aReleaseIsNamedAtATime() throws IOException, ArtifactException {
    var release = machine.unpack(ARCHIVE);
    var time = Instant.parse("2030-01-02T03:04:05Z");
    machine.store().touch(release.key(), time);
    machine.store().touch("other", time);
    assertThat(machine.store().find(release.key()).orElseThrow().lastNamed()).isEqualTo(time);
  }

  private ReleaseStore withSpace(FreeSpace space) {
    return new ReleaseStore(machine.releases, UnpackLimits.DEFAULT, space, Runnable::run);
  }

  @Test
  void spaceIsCheckedBeforeAndWhileUnpacking() throws IOException, ArtifactException {
    var bytes = new byte[1 << 20];
    new java.util.Random(1).nextBytes(bytes);
    var tar = new TarBytes();
    for (int i = 0; i < 40; i++) {
      tar.entry('0', "f" + i, "", bytes.length, bytes);
    }
    var blob = machine.blob(tar.bytes());
    var free = new AtomicLong(UnpackLimits.DEFAULT.reserve() + blob.bytes() - 1);
    var store = withSpace(directory -> free.getAndAdd(0));
    assertThatThrownBy(() -> store.create("k", blob, WorkProgress.NONE, new Cancellation()))
        .hasMessageContaining("a reserve of")
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(Reason.NO_SPACE);
              assertThat(it.isTransient()).isTrue();
            });
    free.set(1 << 30);
    var shrinking = withSpace(directory -> free.getAndAdd(-(400L << 20)));
    assertThatThrownBy(() -> shrinking.create("k", blob, WorkProgress.NONE, new Cancellation()))
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.NO_SPACE));
    assertThat(machine.releases).isEmptyDirectory();
    free.set(1 << 30);
    assertThat(store.create("k", blob, WorkProgress.NONE, new Cancellation()).bytes())
        .isEqualTo(40L << 20);
  }

  @Test
  void aCancelledCreationLeavesNothing() throws IOException {
    var cancellation = new Cancellation();
    var tar = new TarBytes();
    for (int i = 0; i < 100; i++) {
      tar.file("f" + i, "x");
    }
    var blob = machine.blob(tar.bytes());
    var seen = new ArrayList<Long>();
    WorkProgress progress =
        (done, total, entries) -> {
          seen.add(entries);
          if (entries == 50) {
            cancellation.cancel();
          }
        };
    assertThatThrownBy(() -> machine.store().create("k", blob, progress, cancellation))
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.CANCELLED));
    assertThat(seen).isSorted().endsWith(50L);
    assertThat(machine.releases).isEmptyDirectory();
  }

  @Test
  void anInterruptedThreadLeavesNothing() throws Exception {
    var blob = machine.blob(ARCHIVE);
    WorkProgress progress = (done, total, entries) -> Thread.currentThread().interrupt();
    var pool = Executors.newSingleThreadExecutor();
    try {
      var call = pool.submit(() -> machine.store().create("k", blob, progress, new Cancellation()));
      assertThatThrownBy(call::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.CANCELLED));
    } finally {
      pool.shutdown();
    }
    machine.store().recover();
    assertThat(machine.releases).isEmptyDirectory();
  }

  @Test
  void severalThreadsCreateAndRemove() throws Exception {
    var store = machine.store();
    var blob = machine.blob(ARCHIVE);
    var pool = Executors.newFixedThreadPool(4);
    try {
      var calls =
          pool.invokeAll(
              java.util.stream.IntStream.range(0, 60)
                  .<java.util.concurrent.Callable<String>>mapToObj(
                      i ->
                          () -> {
                            var key = "k" + i % 3;
                            if (i % 5 == 4) {
                              store.remove(key, new Cancellation());
                            } else {
                              store.create(key, blob, WorkProgress.NONE, new Cancellation());
                            }
                            return key;
                          })
                  .toList());
      for (var it : calls) {
        it.get();
      }
    } finally {
      pool.shutdown();
    }
    for (var it : store.list()) {
      assertThat(store.verify(it.key(), WorkProgress.NONE, new Cancellation())).isEmpty();
    }
    assertThat(machine.releases).isDirectoryNotContaining("glob:**/.*");
  }
}
