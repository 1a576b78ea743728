package verwalter.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.access.AuditChain;
import verwalter.access.AuditEntry;

class AuditLogTest {
  @TempDir Path directory;

  private final List<String> messages = Collections.synchronizedList(new ArrayList<>());

  private AuditLog open(AuditLog.Limits limits) {
    return AuditLog.open(
        directory.resolve("audit"),
        limits,
        InstantSource.fixed(Instant.EPOCH),
        Thread::new,
        messages::add);
  }

  private void write(AuditLog.Limits limits, int from, int to) {
    try (var log = open(limits)) {
      for (int i = from; i < to; i++) {
        log.add(
            new AuditEntry(Instant.EPOCH, "ada", "", "unix", "patch", "RoleConfig/" + i, 200, ""));
      }
    }
  }

  private List<Path> files() throws IOException {
    try (var files = Files.list(directory.resolve("audit"))) {
      return files.filter(it -> it.toString().endsWith(".log")).sorted().toList();
    }
  }

  private List<String> lines() throws IOException {
    var lines = new ArrayList<String>();
    for (var file : files()) {
      lines.addAll(Files.readAllLines(file, UTF_8));
    }
    return lines;
  }

  private static AuditChain check(List<String> lines) {
    var chain = AuditChain.before(lines.get(0)).orElseThrow();
    for (var line : lines) {
      assertThat(chain.problem(line)).isEmpty();
      chain = chain.after(line);
    }
    return chain;
  }

  @Test
  void aChainGoesOnAfterARestart() throws Exception {
    write(AuditLog.Limits.STANDARD, 0, 50);
    write(AuditLog.Limits.STANDARD, 50, 60);
    var lines = lines();
    assertThat(check(lines).number()).isEqualTo(60);
    assertThat(files()).hasSize(1);
    assertThat(Files.readString(directory.resolve("audit/head")).strip())
        .endsWith(check(lines).hash());
    for (var each : List.of(directory.resolve("audit"), files().get(0))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isIn("rwx------", "rw-------");
    }
    assertThat(messages).isEmpty();
  }

  @Test
  void filesAreRotatedAndTheOldestRemoved() throws Exception {
    for (int i = 0; i < 10; i++) {
      write(new AuditLog.Limits(1_000, 3, 1_000), i * 10, i * 10 + 10);
    }
    assertThat(files()).hasSize(3);
    assertThat(check(lines()).number()).isEqualTo(100);
  }

  @Test
  void aLineThatACrashCutOffIsRemoved() throws Exception {
    write(AuditLog.Limits.STANDARD, 0, 3);
    Files.writeString(files().get(0), "0123 {\"half", StandardOpenOption.APPEND);
    write(AuditLog.Limits.STANDARD, 3, 6);
    assertThat(check(lines()).number()).isEqualTo(6);
  }

  @Test
  void linesThatAreMissingAtTheEndAreNoticed() throws Exception {
    write(AuditLog.Limits.STANDARD, 0, 5);
    var kept = String.join("\n", lines().subList(0, 3)) + "\n";
    Files.writeString(files().get(0), kept);
    write(AuditLog.Limits.STANDARD, 5, 6);
    assertThat(messages).singleElement().asString().contains("the lines 4 to 5 are missing");
    var lines = lines();
    var chain = check(lines.subList(0, 3));
    assertThat(chain.problem(lines.get(3))).isPresent();
  }

  @Test
  void aLogThatCannotBeWrittenIsAProblem() throws Exception {
    Files.writeString(directory.resolve("audit"), "not a directory");
    try (var log = open(new AuditLog.Limits(1_000, 3, 10))) {
      for (int i = 0; i < 100; i++) {
        log.add(new AuditEntry(Instant.EPOCH, "ada", "", "", "patch", "x", 200, ""));
      }
      while (log.problem().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(log.problem().get()).contains("audit");
    }
    assertThat(messages).singleElement().asString().contains("cannot be written");
  }
}
