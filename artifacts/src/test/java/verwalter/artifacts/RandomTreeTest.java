package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random trees that Debian's tar has packed. */
class RandomTreeTest {
  @Property(tries = 25)
  void aReleaseHasTheTreeThatWasPacked(@ForAll long seed) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/tar")));
    var root = MemoryDirectory.create();
    try {
      var machine = new Machine(Files.createDirectory(root.resolve("machine")));
      var files = Files.createDirectory(root.resolve("files"));
      var random = new Random(seed);
      grow(random, files, files, 0);
      var archive = root.resolve("archive");
      var options =
          List.of("--format=gnu", "--format=posix", "--format=oldgnu").get(random.nextInt(3));
      var compression = List.of("-c", "-cz", "-cS").get(random.nextInt(3));
      assertThat(
              Machine.run(
                  files, List.of("tar", options, compression, "-f", archive.toString(), ".")))
          .isZero();
      var store = machine.store();
      var release = store.create("k", machine.blob(archive), WorkProgress.NONE, new Cancellation());
      var expected = Machine.tree(files);
      assertThat(Machine.tree(release.path())).isEqualTo(expected);
      assertThat(manifest(release)).isEqualTo(expected);
      assertThat(store.verify("k", WorkProgress.NONE, new Cancellation())).isEmpty();
      store.remove("k", new Cancellation());
    } finally {
      new ArtifactDisk(DiskSteps.NONE).deleteTree(root);
    }
  }

  private static void grow(Random random, Path root, Path at, int depth) throws IOException {
    int entries = random.nextInt(7);
    for (int i = 0; i < entries; i++) {
      var path = at.resolve(name(random) + i);
      int kind = random.nextInt(10);
      if (kind < 3 && depth < 5) {
        Files.createDirectory(path);
        grow(random, root, path, depth + 1);
      } else if (kind == 3) {
        Files.createSymbolicLink(path, at.relativize(root.resolve("target " + i)));
      } else if (kind == 4 && Files.exists(at.resolve("original"))) {
        Files.createLink(path, at.resolve("original"));
      } else {
        var bytes = new byte[random.nextInt(4) * 300 + random.nextInt(200_000) / 7];
        if (random.nextBoolean()) {
          random.nextBytes(bytes);
        }
        Files.write(path, bytes);
        Files.setAttribute(path, "unix:mode", random.nextBoolean() ? 0755 : 0640);
        if (!Files.exists(at.resolve("original"))) {
          Files.createLink(at.resolve("original"), path);
        }
      }
    }
  }

  private static String name(Random random) {
    return List.of("a", "B b", "ü", "%41", "-", "…\t", "\\x", ".h", "~").get(random.nextInt(9));
  }

  private static Map<String, String> manifest(UnpackedRelease release) throws IOException {
    var tree = new TreeMap<String, String>();
    assertThat(
            TreeManifest.read(
                release.path().resolveSibling("manifest"),
                it ->
                    tree.put(
                        it.path(),
                        switch (it.type()) {
                          case DIRECTORY -> "directory";
                          case SYMBOLIC_LINK -> "-> " + it.target();
                          default ->
                              (it.mode() == 0555 ? "program " : "file ")
                                  + it.digest().orElseThrow();
                        })))
        .isTrue();
    assertThat(tree.keySet())
        .allMatch(it -> Files.exists(release.path().resolve(it), LinkOption.NOFOLLOW_LINKS));
    return tree;
  }
}
