package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.controllers.template.Accounts;

/** Tests the files of services on disk, and who may reach them. */
class LocalServicePlaceTest {
  private static final Accounts.Account NOBODY = new Accounts.Account(65534, List.of(65534L));

  @TempDir private Path root;
  private Path storage;
  private LocalServicePlace place;

  @BeforeEach
  void aPlace() throws IOException {
    mode(root, "rwxr-xr-x");
    storage = Files.createDirectory(root.toRealPath().resolve("storage"));
    mode(storage, "rwx------");
    place = LocalServicePlace.into(storage);
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void everybodyMayReadTheFilesAndOnlyDifferentOnesAreWritten() throws IOException {
    var set = place.directory("shop", "one");
    var written = place.write(set, Map.of("etc/shop.ini", "a", "motd", "b"));
    var file = set.resolve("etc/shop.ini");
    assertThat(file).hasContent("a");
    assertThat(mode(file)).isEqualTo("rw-r--r--");
    assertThat(mode(set)).isEqualTo("rwxr-xr-x");
    assertThat(written).hasSize(2).allMatch(each -> place.isOurs(each.path()));
    assertThat(place.isOurs(storage.resolve("releases/x").toString())).isFalse();

    var key = Files.readAttributes(set.resolve("motd"), "unix:ino");
    mode(file, "rw-------");
    place.write(set, Map.of("etc/shop.ini", "a", "motd", "b"));
    assertThat(mode(file)).isEqualTo("rw-r--r--");
    assertThat(Files.readAttributes(set.resolve("motd"), "unix:ino")).isEqualTo(key);
    assertThatThrownBy(() -> place.write(set, Map.of("../../x", "a")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void directoriesThatNoPathIsInAreRemoved() throws IOException {
    for (var set : List.of("one", "two", "three")) {
      place.write(place.directory("shop", set), Map.of("a/b", set));
    }
    place.write(place.directory("other", "one"), Map.of("a", "x"));
    Files.createSymbolicLink(place.directory("shop", "one").resolve("link"), root);
    place.retain(
        "shop", Set.of(place.directory("shop", "two"), place.directory("shop", "three/a/b")));
    assertThat(place.directory("shop", "one")).doesNotExist();
    assertThat(place.directory("shop", "two/a/b")).hasContent("two");
    assertThat(place.directory("shop", "three/a/b")).hasContent("three");
    place.retain("shop", Set.of());
    assertThat(storage.resolve("services/shop")).doesNotExist();
    assertThat(storage.resolve("services/other/one/a")).exists();
    place.retain("../services/other", Set.of());
    place.retain("nothing", Set.of());
    assertThat(storage.resolve("services/other/one/a")).exists();
  }

  @Test
  void othersMayEnterTheDirectoryOfTheAgentButNotListIt() throws IOException {
    var set = place.directory("shop", "one");
    place.write(set, Map.of("a", "x"));
    place.open(set, new Accounts.Account(0, List.of(0L)));
    assertThat(mode(storage)).isEqualTo("rwx------");
    place.open(set, NOBODY);
    assertThat(mode(storage)).isEqualTo("rwx--x--x");
    mode(root, "rwx------");
    assertThatThrownBy(() -> place.open(set, NOBODY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("user 65534 cannot reach " + set)
        .hasMessageContaining("run: chmod o+x " + root.toRealPath());
    mode(root, "rwxr-xr-x");
  }
}
