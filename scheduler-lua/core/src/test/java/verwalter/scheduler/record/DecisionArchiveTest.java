package verwalter.scheduler.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.DecisionRecord;
import verwalter.model.Decisions;
import verwalter.model.Scheduler.Reason;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Code;

class DecisionArchiveTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Code CODE = code("return {}");

  @TempDir private Path directory;
  private final List<String> warnings = new ArrayList<>();

  private static Code code(String main) {
    return new Code("/etc/verwalter/scheduler/v1", Map.of("main.lua", main), Map.of());
  }

  private DecisionArchive open(RecordLimits limits) {
    var archive = DecisionArchive.open(directory, limits, warnings::add);
    archive.know(CODE);
    return archive;
  }

  private DecisionArchive open() {
    return open(RecordLimits.DEFAULT);
  }

  private static DecisionRecord run(int second, int count) {
    return run(second, Map.of("web", Map.of("count", (long) count)), CODE.hash());
  }

  private static DecisionRecord run(int second, Map<String, Object> runtime, String code) {
    var at = START.plusSeconds(second);
    return new DecisionRecord(
        at,
        code,
        Map.of("now", at.toEpochMilli(), "runtime", runtime, "float", 1.0),
        Optional.of(Map.of("roles", runtime)),
        "",
        "said at " + second,
        17,
        Duration.ofMillis(3),
        List.of(
            new Reason("web", Optional.of("n1"), "because"),
            new Reason("web", Optional.empty(), "so")),
        List.of("Action/1: no"));
  }

  private static DecisionRecord failure(int second) {
    var at = START.plusSeconds(second);
    return new DecisionRecord(
        at,
        "",
        Map.of("now", at.toEpochMilli()),
        Optional.empty(),
        "main.lua:1: no",
        "",
        0,
        Duration.ZERO,
        List.of(),
        List.of());
  }

  private static Decisions.Entry find(DecisionArchive archive, String reference) {
    try {
      return archive.find(reference);
    } catch (Decisions.Unknown none) {
      throw new AssertionError(none);
    }
  }

  @Test
  void copyOfAnotherArchiveHasItsCode(@TempDir Path other) throws IOException {
    var record = run(0, 3);
    var origin = open();
    origin.add(record);
    var entry = origin.newestFirst().get(0);
    var copy = DecisionArchive.open(other, RecordLimits.DEFAULT, warnings::add);

    copy.addCopy(origin.packed(entry), origin.packedCode(entry.code()));
    copy.addCopy(origin.packed(entry), origin.packedCode(entry.code()));

    assertThat(copy.newestFirst()).containsExactly(entry);
    assertThat(copy.read(entry)).isEqualTo(record);
    assertThat(copy.code(entry.code())).isEqualTo(origin.code(entry.code()));
    assertThat(warnings).isEmpty();
  }

  @Test
  void storesAndReadsRun() throws IOException {
    var record = run(0, 3);
    open().add(record);
    open().add(failure(5));

    var archive = open();
    assertThat(archive.newestFirst())
        .extracting(Decisions.Entry::decided)
        .containsExactly(false, true);
    assertThat(archive.read(archive.newestFirst().get(1))).isEqualTo(record);
    assertThat(archive.read(archive.newestFirst().get(0))).isEqualTo(failure(5));
    assertThat(warnings).isEmpty();
  }

  @Test
  void fileNameHasAllPropertiesOfEntry() {
    open().add(run(0, 3));

    var entry = open().newestFirst().get(0);
    assertThat(entry.at()).isEqualTo(START);
    assertThat(entry.id()).isEqualTo(run(0, 3).id());
    assertThat(entry.schedule()).isEqualTo(run(0, 3).schedule());
    assertThat(entry.code()).isEqualTo(CODE.hash());
    assertThat(directory.resolve(RecordFile.name(entry))).hasSize(entry.bytes());
  }

  @Test
  void doesNotStoreRunEqualToNewest() {
    var archive = open();
    archive.add(run(0, 3));
    archive.add(run(5, 3));
    assertThat(archive.newestFirst()).hasSize(1);

    var again = open();
    again.add(run(10, 3));
    assertThat(again.newestFirst()).hasSize(1);

    again.add(run(15, 4));
    again.add(run(20, 3));
    assertThat(again.newestFirst())
        .extracting(Decisions.Entry::at)
        .containsExactly(START.plusSeconds(20), START.plusSeconds(15), START);
  }

  @Test
  void removesOldestRunsOverNumberLimitWithTheirCode() throws IOException {
    var archive = open(new RecordLimits(3, 1 << 20));
    var other = code("return {scheduler = 1}");
    archive.know(other);
    archive.add(run(0, Map.of(), other.hash()));
    assertThat(archive.packedCode(other.hash())).isPresent();

    for (int i = 1; i <= 3; i++) {
      archive.add(run(i, i));
    }

    assertThat(archive.newestFirst())
        .extracting(Decisions.Entry::at)
        .doesNotContain(START)
        .hasSize(3);
    assertThat(archive.packedCode(other.hash())).isEmpty();
    var code =
        CodeText.unpack(new ByteArrayInputStream(archive.packedCode(CODE.hash()).orElseThrow()));
    assertThat(code).isEqualTo(CODE);
  }

  @Test
  void removesOldestRunsOverSizeLimitButNeverNewest() {
    open().add(run(0, 1));
    long size = open().newestFirst().get(0).bytes();

    var archive = open(new RecordLimits(1_000, 5 * size));
    for (int i = 1; i <= 20; i++) {
      archive.add(run(i, i));
    }
    assertThat(archive.newestFirst()).hasSizeBetween(2, 5);
    assertThat(archive.newestFirst().get(0).at()).isEqualTo(START.plusSeconds(20));

    assertThat(open(new RecordLimits(1_000, 1)).newestFirst()).hasSize(1);
  }

  @Test
  void removesLeftoversOfCrash() throws IOException {
    open().add(run(0, 1));
    var left = directory.resolve(RecordFile.name(open().newestFirst().get(0)) + ".tmp");
    Files.writeString(left, "half");
    var leftCode = Files.writeString(directory.resolve("code/" + CODE.hash() + ".json.gz.tmp"), "");

    assertThat(open().newestFirst()).hasSize(1);
    assertThat(left).doesNotExist();
    assertThat(leftCode).doesNotExist();
  }

  @Test
  void namesCorruptFileAndKeepsOthers() throws IOException {
    var archive = open();
    archive.add(run(0, 1));
    archive.add(run(1, 2));
    archive.add(run(2, 3));
    var cut = directory.resolve(RecordFile.name(archive.newestFirst().get(1)));
    var bytes = Files.readAllBytes(cut);
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length - 9));
    Files.writeString(directory.resolve("README"), "no record");

    var again = open();
    assertThat(warnings).hasSize(1).first().asString().contains("README");
    assertThat(again.newestFirst()).hasSize(3);
    assertThatThrownBy(() -> again.read(again.newestFirst().get(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(cut.toString())
        .hasMessageContaining("broken");
    assertThat(again.read(again.newestFirst().get(2)).id()).isEqualTo(run(0, 1).id());
  }

  @Test
  void refusesRecordUnderOtherName() throws IOException {
    var archive = open();
    archive.add(run(0, 1));
    archive.add(run(1, 2));
    var names = archive.newestFirst().stream().map(RecordFile::name).toList();
    Files.copy(
        directory.resolve(names.get(0)),
        directory.resolve(names.get(1)),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertThatThrownBy(() -> archive.read(archive.newestFirst().get(1)))
        .hasMessageContaining("another record");
  }

  @Test
  void warnsOnceIfRecordCannotBeWritten() throws IOException {
    Files.delete(directory);
    Files.writeString(directory, "a file where the directory should be");
    var archive = open();
    warnings.clear();

    archive.add(run(0, 1));
    archive.add(run(1, 2));

    assertThat(warnings).hasSize(1).first().asString().contains("scheduling continues");
    Files.delete(directory);
    archive.add(run(2, 3));
    assertThat(archive.newestFirst()).hasSize(1);
  }

  @Test
  void warnsIfValueHasNoText() {
    var archive = open();
    archive.add(run(0, Map.of("x", "\ud800"), ""));
    assertThat(archive.newestFirst()).isEmpty();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void findsRecordsByIdScheduleAndPosition() {
    var archive = open();
    archive.add(run(0, 1));
    archive.add(run(1, 2));
    var nearly = run(2, 2);
    archive.add(
        new DecisionRecord(
            nearly.at(),
            "other",
            nearly.input(),
            nearly.output(),
            "",
            "",
            1,
            nearly.took(),
            List.of(),
            List.of()));

    assertThat(find(archive, "latest").at()).isEqualTo(START.plusSeconds(2));
    assertThat(find(archive, "previous").at()).isEqualTo(START);
    assertThat(find(archive, run(1, 2).id().substring(0, 12)).at()).isEqualTo(START.plusSeconds(1));
    assertThat(find(archive, run(1, 2).schedule().substring(0, 12)).at())
        .isEqualTo(START.plusSeconds(2));
    for (var wrong : List.of("abc", "zzzz", "", "0123456789abcdef")) {
      assertThatThrownBy(() -> archive.find(wrong)).isInstanceOf(Decisions.Unknown.class);
    }
    assertThatThrownBy(() -> References.find(List.of(), "latest"))
        .hasMessageContaining("no decision");
  }

  @Test
  void refusesAmbiguousPrefixWithMatches() {
    var a = new Decisions.Entry("abcd1" + "0".repeat(35), START, "", "", 1);
    var b = new Decisions.Entry("abcd2" + "0".repeat(35), START, "", "", 1);
    assertThatThrownBy(() -> References.find(List.of(a, b), "abcd"))
        .hasMessageContaining("abcd10000000")
        .hasMessageContaining("abcd20000000");
  }

  @Test
  void splitsAndJoinsLongParts() throws IOException {
    var much = "x".repeat(3 << 20);
    var big = Map.<String, Object>of("a", List.of(much, Map.of("b", much)), "c", much, "d", 1L);
    var record =
        new DecisionRecord(
            START,
            "",
            Map.of("parents", List.of(big, Map.of())),
            Optional.of(big),
            "",
            "long \ud83d\ude00 ".repeat(200_000),
            0,
            Duration.ZERO,
            List.of(),
            List.of());
    open().add(record);

    assertThat(warnings).isEmpty();
    var archive = open();
    var read = archive.read(archive.newestFirst().get(0));
    assertThat(read.log()).isEqualTo(record.log());
    assertThat(Json.canonical(read.input()).equals(Json.canonical(record.input()))).isTrue();
    assertThat(read.schedule()).isEqualTo(record.schedule());
  }

  @Test
  void storesAndReadsBinaryCode() throws IOException {
    var code =
        new Code(
            "place",
            Map.of("main.lua", "\u00ff\u0000", "a/b.lua", "-- \u00c3\u00a9"),
            Map.of("c", "no"));
    assertThat(CodeText.unpack(new ByteArrayInputStream(CodeText.pack(code)))).isEqualTo(code);
    assertThat(CodeText.tree(code).toString()).contains("-- \u00e9").contains("a/b.lua");
  }
}
