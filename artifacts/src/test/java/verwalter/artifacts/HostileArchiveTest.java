package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArtifactException.Reason;

class HostileArchiveTest {
  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private Machine machine;

  @BeforeEach
  void machine() throws IOException {
    machine = new Machine(Files.createDirectory(root.resolve("machine")));
  }

  private void refused(byte[] archive, String why) throws IOException {
    refused(archive, UnpackLimits.DEFAULT, Reason.BAD_ARCHIVE, why);
  }

  private void refused(byte[] archive, UnpackLimits limits, Reason reason, String why)
      throws IOException {
    var blob = machine.blob(archive);
    assertThatThrownBy(
            () -> machine.store(limits).create("a", blob, WorkProgress.NONE, new Cancellation()))
        .hasMessageContaining(why)
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.isTransient()).isFalse();
            });
    try (var rest = Files.list(machine.releases)) {
      assertThat(rest).isEmpty();
    }
    try (var around = Files.list(root)) {
      assertThat(around).containsExactly(machine.root);
    }
  }

  private static TarBytes tar() {
    return new TarBytes();
  }

  @Test
  void aNameThatLeadsOutsideIsRefused() throws IOException {
    refused(tar().file("../x", "").bytes(), "contains \"..\"");
    refused(tar().file("a/../../x", "").bytes(), "contains \"..\"");
    refused(tar().file("/tmp/x", "").bytes(), "is absolute");
    refused(tar().extended("path=../../x").file("a", "").bytes(), "contains \"..\"");
    refused(tar().entry('L', "l", "", 5, Machine.utf8("../x\0")).file("a", "").bytes(), "..");
  }

  @Test
  void aLinkThatLeadsOutsideIsRefused() throws IOException {
    refused(tar().link("a", "/etc/passwd").bytes(), "leads outside");
    refused(tar().link("a", "../x").bytes(), "leads outside");
    refused(tar().directory("d").link("d/a", "../../x").bytes(), "leads outside");
    refused(tar().link("a", "b/../../x").bytes(), "leads outside");
    refused(tar().extended("linkpath=../x").link("a", "b").bytes(), "leads outside");
    refused(tar().link("a", "").bytes(), "no valid target");
  }

  @Test
  void aLinkThatLeadsOutsideByWayOfAnotherIsRefused() throws IOException {
    // By its text alone, "p/q/l/.." stays inside.
    refused(tar().link("p/q/l", "../..").link("t", "p/q/l/../x").bytes(), "leads outside");
    refused(tar().link("t", "p/q/l/../x").link("p/q/l", "../..").bytes(), "leads outside");
  }

  @Test
  void aLinkInsideIsAllowedAndSoIsALoop() throws IOException, ArtifactException {
    var release =
        machine.unpack(
            tar()
                .file("d/f", "x")
                .link("d/up", "../d/f")
                .link("loop", "loop")
                .link("nowhere", "no/such/file")
                .link("here", ".")
                .bytes());
    assertThat(Machine.tree(release.path()))
        .containsEntry("d/up", "-> ../d/f")
        .containsEntry("loop", "-> loop")
        .containsEntry("nowhere", "-> no/such/file")
        .containsEntry("here", "-> .");
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    refused(tar().link("d", "e").file("d/f", "x").bytes(), "leads through \"d\"");
    refused(tar().file("d", "").file("d/f", "x").bytes(), "leads through \"d\"");
    refused(tar().directory("e").link("d", "e").file("d", "x").bytes(), "exists twice");
    refused(tar().directory("e").link("d", "e").directory("d").bytes(), "exists twice");
  }

  @Test
  void aHardLinkNamesAnEarlierFile() throws IOException, ArtifactException {
    refused(tar().hardLink("a", "b").file("b", "").bytes(), "not an earlier file");
    refused(tar().hardLink("a", "a").bytes(), "not an earlier file");
    refused(tar().hardLink("a", "../x").bytes(), "contains \"..\"");
    refused(tar().hardLink("a", "/etc/passwd").bytes(), "is absolute");
    refused(tar().link("l", "x").hardLink("a", "l").bytes(), "not an earlier file");
    refused(tar().directory("d").hardLink("a", "d").bytes(), "not an earlier file");
    var release = machine.unpack(tar().file("b", "x").hardLink("a", "./b").bytes());
    assertThat(release.path().resolve("a")).hasContent("x");
    assertThat(release.bytes()).isEqualTo(2);
  }

  @Test
  void devicesAndPipesAreRefused() throws IOException {
    for (var type : List.of('3', '4')) {
      refused(tar().entry(type, "a", "", 0, new byte[0]).bytes(), "is a device");
    }
    refused(tar().entry('6', "a", "", 0, new byte[0]).bytes(), "is a named pipe");
    refused(tar().entry('M', "a", "", 0, new byte[0]).bytes(), "unsupported type");
  }

  @Test
  void namesThatAreEqualOrDifferByCaseAreRefused() throws IOException {
    refused(tar().file("a", "").file("a", "").bytes(), "exists twice");
    refused(tar().file("a", "").file("./a", "").bytes(), "exists twice");
    refused(tar().directory("a").directory("a/").bytes(), "exists twice");
    refused(tar().file("A", "").file("a", "").bytes(), "differ only by case");
    refused(tar().file("A/x", "").file("a/y", "").bytes(), "differ only by case");
    refused(tar().file("straße", "").file("STRASSE", "").bytes(), "differ only by case");
    refused(tar().file("d/x", "").file("d", "").bytes(), "exists twice");
  }

  @Test
  void specialBitsAreDroppedAndEverythingIsReadOnly() throws IOException, ArtifactException {
    var release =
        machine.unpack(
            tar()
                .entry('5', "d/", "", 0, new byte[0], 07777)
                .entry('0', "d/set", "", 0, new byte[0], 06755)
                .entry('0', "d/open", "", 0, new byte[0], 0666)
                .entry('0', "d/none", "", 0, new byte[0], 0)
                .bytes());
    for (var it : List.of("=365", "d=365", "d/set=365", "d/open=292", "d/none=292")) {
      var name = it.split("=", -1);
      assertThat((int) Files.getAttribute(release.path().resolve(name[0]), "unix:mode") & 07777)
          .as(it)
          .isEqualTo(Integer.parseInt(name[1]));
    }
    assertThat(Files.getLastModifiedTime(release.path().resolve("d/set")).toMillis())
        .isEqualTo(1_000_000_000_000L);
    assertThat(Files.getOwner(release.path().resolve("d/set")))
        .isEqualTo(Files.getOwner(Path.of("/proc/self")));
  }

  private static UnpackLimits limits(
      long entries, long bytes, long fileBytes, int depth, int name) {
    return new UnpackLimits(entries, bytes, fileBytes, depth, name, 100, 100, 0);
  }

  @Test
  void limitsHold() throws IOException {
    var small = limits(2, 10, 6, 2, 5);
    refused(
        tar().file("a", "").file("b", "").file("c", "").bytes(), small, Reason.TOO_LARGE, "3 ent");
    refused(tar().file("a", "1234567").bytes(), small, Reason.TOO_LARGE, "has 7 bytes");
    refused(
        tar().file("a", "123456").file("b", "12345").bytes(), small, Reason.TOO_LARGE, "11 bytes");
    refused(tar().file("a/b/c", "").bytes(), small, Reason.TOO_LARGE, "has 3 names");
    refused(tar().file("ééé", "").bytes(), small, Reason.TOO_LARGE, "a name has 6 bytes");
    refused(zip("a", "b", "c"), small, Reason.TOO_LARGE, "3 entries");
  }

  @Test
  void aCompressionBombIsRefused() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      var head = tar().entry('0', "a", "", 1L << 30, new byte[0]).withoutEnd();
      gzip.write(head);
      for (int i = 0; i < 40; i++) {
        gzip.write(new byte[1 << 20]);
      }
    }
    var limits = UnpackLimits.DEFAULT;
    refused(packed.toByteArray(), limits, Reason.TOO_LARGE, "(ratio)");
  }

  @Test
  void holesOfASparseFileCount() throws IOException {
    var records =
        new String[] {
          "GNU.sparse.size=1000000", "GNU.sparse.numblocks=1", "GNU.sparse.map=999999,1"
        };
    var bomb = tar().extended(records).file("a", "x").bytes();
    refused(bomb, limits(9, 999_999, 1L << 40, 9, 99), Reason.TOO_LARGE, "1000000 bytes");
    records[2] = "GNU.sparse.map=999999,2";
    refused(tar().extended(records).file("a", "x").bytes(), "do not match its size");
    records[2] = "GNU.sparse.map=5,1,3,1";
    refused(tar().extended(records).file("a", "xy").bytes(), "overlap");
  }

  @Test
  void aDamagedTarIsRefused() throws IOException {
    refused(new byte[0], "neither tar");
    refused(new byte[2048], "neither tar");
    refused(Machine.utf8("<html>404</html>".repeat(100)), "neither tar");
    refused(new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0}, "not supported");
    var whole = tar().file("a", "x").file("b", "y").bytes();
    for (int length : new int[] {512, 513, 1023, 1024, 1025, 1600, 2048}) {
      refused(Arrays.copyOf(whole, length), "cut off");
    }
    var damaged = whole.clone();
    damaged[1024] ^= 1;
    refused(damaged, "header of the tar archive is damaged");
    refused(tar().entry('x', "x", "", 1L << 30, new byte[0]).bytes(), "extended header");
    refused(tar().entry('x', "x", "", 4, Machine.utf8("9 a=")).bytes(), "malformed");
    refused(tar().entry('0', "a", "", 1L << 32, new byte[0]).bytes(), "cut off");
    var many = tar();
    for (int i = 0; i < 70; i++) {
      many.extended("a=b");
    }
    refused(many.file("a", "").bytes(), "too many headers");
    var latin = whole.clone();
    latin[0] = (byte) 0xe9;
    latin = TarBytes.checked(Arrays.copyOf(latin, 512));
    refused(Arrays.copyOf(latin, 2048), "not UTF-8");
  }

  @Test
  void aDamagedCompressionIsRefused() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(tar().file("a", "x".repeat(100_000)).bytes());
    }
    var whole = packed.toByteArray();
    refused(Arrays.copyOf(whole, whole.length / 2), "cut off");
    var damaged = whole.clone();
    damaged[whole.length - 6] ^= 1;
    refused(damaged, "");
    refused(Arrays.copyOf(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}, 100), "");
  }

  private static byte[] zip(String... names) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var it : names) {
        zip.putNextEntry(new ZipEntry(it));
        if (!it.endsWith("/")) {
          zip.write(Machine.utf8("content of " + it));
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Offsets of the entries of the central directory. */
  private static List<Integer> central(byte[] zip) {
    var found = new ArrayList<Integer>();
    for (int i = 0; i + 4 < zip.length; i++) {
      if (LittleEndian.four(zip, i) == ZipRecord.SIGNATURE) {
        found.add(i);
      }
    }
    return found;
  }

  private static byte[] patched(byte[] zip, int offset, int... bytes) {
    var copy = zip.clone();
    for (int i = 0; i < bytes.length; i++) {
      copy[central(zip).get(0) + offset + i] = (byte) bytes[i];
    }
    return copy;
  }

  @Test
  void aHostileZipIsRefused() throws IOException {
    refused(zip("../x"), "contains \"..\"");
    refused(zip("/x"), "is absolute");
    refused(zip("a\\..\\x"), "backslash");
    refused(zip("a", "A"), "differ only by case");
    var zip = zip("file", "other");
    refused(patched(zip, 8, 1), "encrypted");
    refused(patched(zip, 10, 12), "unsupported method 12");
    refused(patched(zip, 16, 1, 2, 3, 4), "CRC");
    refused(patched(zip, 24, 1), "longer than the zip archive says");
    refused(patched(zip, 24, 90), "shorter than the zip archive says");
    refused(patched(zip, 20, 0xfe, 0xff, 0xff, 0x7f), "malformed");
    refused(patched(zip, 42, 0xfe, 0xff, 0xff, 0x7f), "malformed");
    refused(patched(zip, 28, 0xff, 0xff), "malformed");
    refused(patched(patched(zip, 5, 3), 38, 0, 0, 0, 020), "named pipe");
    refused(patched(patched(zip, 5, 3), 38, 0, 0, 0, 060), "device");
    refused(patched(patched(zip, 5, 3), 38, 0, 0, 0, 0300), "socket");
    refused(Arrays.copyOf(zip, zip.length - 1), "no directory");
    refused(Arrays.copyOf(zip, zip.length / 2), "no directory");
  }

  @Test
  void aLinkOfAZipThatLeadsOutsideIsRefused() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.setMethod(ZipOutputStream.STORED);
      var entry = new ZipEntry("link");
      var target = Machine.utf8("../../etc/passwd");
      var crc = new CRC32();
      crc.update(target);
      entry.setCrc(crc.getValue());
      entry.setSize(target.length);
      zip.putNextEntry(entry);
      zip.write(target);
    }
    refused(patched(patched(bytes.toByteArray(), 5, 3), 38, 0, 0, 0377, 0241), "leads outside");
  }

  @Test
  void controlCharactersOfNamesAreKeptOnDiskAndNotShown() throws IOException, ArtifactException {
    var odd = "\u009ba\u001b[2J\nb\tc\u0007 %00";
    var release = machine.unpack(tar().file(odd + "/x", "x").link("l", odd + "/x").bytes());

    assertThat(release.path().resolve(odd).resolve("x")).hasContent("x");
    assertThat(machine.store().verify("web/1.2/g1.l0/n1", WorkProgress.NONE, new Cancellation()))
        .isEmpty();
    for (var archive :
        List.of(
            tar().file("../" + odd, "").bytes(),
            tar().file("/" + odd, "").bytes(),
            tar().file(odd, "").file(odd, "").bytes(),
            tar().file(odd, "").file(odd.toUpperCase(Locale.ROOT), "").bytes(),
            tar().link("a", "/" + odd).bytes(),
            tar().hardLink("a", odd).bytes(),
            tar().entry('6', odd, "", 0, new byte[0]).bytes(),
            zip("../" + odd),
            zip(odd, odd.toUpperCase(Locale.ROOT)))) {
      assertThatThrownBy(
              () ->
                  machine
                      .store()
                      .create("b", machine.blob(archive), WorkProgress.NONE, new Cancellation()))
          .isInstanceOf(ArtifactException.class)
          .satisfies(
              it ->
                  assertThat(String.valueOf(it.getMessage()).chars())
                      .noneMatch(Character::isISOControl));
    }
  }

  @Test
  void aNameWithAZeroByteOrTooManyBytesIsRefused() throws IOException {
    refused(tar().extended("path=a\0b").file("a", "").bytes(), "zero byte");
    refused(tar().extended("linkpath=a\0b").link("a", "").bytes(), "");
    refused(zip("a\0b"), "zero byte");
    var long256 = "x".repeat(256);
    for (var archive :
        List.of(tar().extended("path=" + long256).file("a", "").bytes(), zip("d/" + long256))) {
      refused(archive, UnpackLimits.DEFAULT, Reason.TOO_LARGE, "a name has 256 bytes");
    }
  }

  @Test
  void aFalse64BitZipIsRefused() throws IOException {
    var zip = zip("file", "other");
    refused(patched(zip, 24, 0xff, 0xff, 0xff, 0xff), "");
    refused(patched(zip, 20, 0xff, 0xff, 0xff, 0xff), "malformed");
    refused(patched(zip, 42, 0xff, 0xff, 0xff, 0xff), "malformed");
    var end = zip.clone();
    for (int i = 8; i < 20; i++) {
      end[zip.length - 22 + i] = (byte) 0xff;
    }
    refused(end, "malformed");
    var located = Arrays.copyOf(zip, zip.length + 20);
    System.arraycopy(end, zip.length - 22, located, zip.length - 2, 22);
    System.arraycopy(
        new byte[] {'P', 'K', 6, 7, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, 127, 1, 0, 0, 0},
        0,
        located,
        zip.length - 22,
        20);
    refused(located, "malformed");
  }

  @Test
  void anArchiveThatIsCutOffAnywhereIsRefused() throws Exception {
    var file = Files.write(root.resolve("tar"), tar().file("a", "x".repeat(3000)).bytes());
    for (var command : List.of("gzip -k", "zstd -qk")) {
      var words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.add(file.toString());
      assertThat(Machine.run(root, words)).isZero();
    }
    var wholes =
        List.of(
            Files.readAllBytes(root.resolve("tar.gz")),
            Files.readAllBytes(root.resolve("tar.zst")),
            zip("d/", "d/a", "b"));
    for (var name : List.of("tar", "tar.gz", "tar.zst")) {
      Files.delete(root.resolve(name));
    }
    for (var whole : wholes) {
      for (int length = 0; length < whole.length; length++) {
        refused(Arrays.copyOf(whole, length), "");
      }
    }
  }

  /** Changes single bytes of archives: each is unpacked or refused, and nothing else happens. */
  @Test
  void anyDamageIsRefusedOrHarmless() throws IOException, ArtifactException {
    var tar = tar().directory("d").file("d/a", "x").link("l", "d/a").hardLink("h", "d/a").bytes();
    var random = new java.util.Random(1);
    for (var whole : List.of(tar, zip("d/", "d/a", "b"))) {
      for (int i = 0; i < 250; i++) {
        var damaged = whole.clone();
        damaged[random.nextInt(whole.length)] = (byte) random.nextInt();
        damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
        try {
          machine.store().create("a", machine.blob(damaged), WorkProgress.NONE, new Cancellation());
        } catch (ArtifactException refused) {
          assertThat(refused.reason()).isIn(Reason.BAD_ARCHIVE, Reason.TOO_LARGE);
        }
        machine.store().remove("a", new Cancellation());
        try (var rest = Files.list(machine.releases)) {
          assertThat(rest).isEmpty();
        }
      }
    }
    try (var around = Files.list(root)) {
      assertThat(around).containsExactly(machine.root);
    }
  }
}
