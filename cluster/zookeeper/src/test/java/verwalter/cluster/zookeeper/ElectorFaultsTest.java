package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Faults of electors in processes of their own, while all of them append. */
class ElectorFaultsTest {
  /** The rounds of random faults. If there are any, all tests run, which takes some minutes. */
  private static final int ROUNDS = Integer.getInteger("verwalter.electors.rounds", 0);

  @TempDir private static Path certificates;
  @TempDir private Path directory;

  private ElectorGroup group;

  @BeforeAll
  static void issue() throws IOException {
    new TestAuthority().issue(certificates, true);
  }

  @BeforeEach
  void grow() throws Exception {
    group = new ElectorGroup(directory, certificates);
    group.create(1);
    group.leader();
    group.get(1).send("append on");
    group.awaitAppends(group.get(1), 20);
    for (long id : List.of(2L, 3L)) {
      group.join(id).send("append on");
      group.awaitAppends(group.get(id), 20);
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    group.close();
  }

  private void startAndAppend(long id) throws Exception {
    startAndAppendLater(id);
    group.awaitAppends(group.get(id), 5);
  }

  @Test
  void keepsEverythingWhenLeadersAreKilledAndPaused() throws Exception {
    long killed = group.id(group.leader());
    group.kill(killed);
    group.awaitAppends(group.leader(), 20);
    startAndAppend(killed);
    long paused = group.id(group.leader());
    group.signal(paused, "STOP");
    long other = paused == 1 ? 2 : 1;
    group.awaitAppends(group.get(other), 20);
    group.signal(paused, "CONT");
    group.awaitAppends(group.get(paused), 20);
    group.check();
  }

  @Test
  @EnabledIf("isLong")
  void keepsEverythingUnderRandomFaults() throws Exception {
    long seed = Long.getLong("verwalter.electors.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var victims = new ArrayList<>(List.of(1L, 2L, 3L));
      for (int spared = random.nextInt(3); spared > 0; spared--) {
        victims.remove(random.nextInt(victims.size()));
      }
      if (random.nextInt(3) == 0) {
        for (long each : victims) {
          group.signal(each, "STOP");
        }
        group.staysFalse(() -> false, Duration.ofMillis(random.nextInt(6000)));
        for (long each : victims) {
          group.signal(each, "CONT");
        }
      } else {
        for (long each : victims) {
          group.kill(each);
        }
        for (long each : victims) {
          startAndAppendLater(each);
        }
      }
      for (long each : List.of(1L, 2L, 3L)) {
        group.awaitAppends(group.get(each), 10);
      }
    }
    group.check();
  }

  private void startAndAppendLater(long id) throws Exception {
    group.start(id).send("append on");
  }

  static boolean isLong() {
    return ROUNDS > 0;
  }

  /** Lets elector 3 lag, and stops the others after they have acknowledged more. */
  private void lagAndStop() throws Exception {
    group.kill(3);
    group.awaitAppends(group.get(1), 30);
    group.awaitAppends(group.get(2), 30);
    group.kill(1);
    group.kill(2);
  }

  /** Elector 2 has lost something, 3 never had it: they must wait for 1. */
  private void checkThatTheyWaitForTheFirst() throws Exception {
    var second = group.start(2);
    var third = group.start(3);
    assertThat(
            group.staysFalse(
                () ->
                    List.of("LEADING", "FOLLOWING").contains(second.status())
                        || List.of("LEADING", "FOLLOWING").contains(third.status()),
                Duration.ofSeconds(4)))
        .as("%s %s", second, third)
        .isTrue();
    startAndAppend(1);
    group.await(() -> second.status().equals("FOLLOWING"));
    second.send("append on");
    group.awaitAppends(second, 5);
    group.check();
  }

  @Test
  void truncatedLogDoesNotVote() throws Exception {
    lagAndStop();
    truncate(group.log(2));
    checkThatTheyWaitForTheFirst();
  }

  @Test
  @EnabledIf("isLong")
  void emptyDirectoryDoesNotVote() throws Exception {
    lagAndStop();
    delete(group.directory(2).resolve("data"));
    checkThatTheyWaitForTheFirst();
  }

  @Test
  @EnabledIf("isLong")
  void damagedLogIsReplacedByThatOfTheOthers() throws Exception {
    group.kill(2);
    flip(group.log(2));
    startAndAppend(2);
    assertThat(group.directory(2).resolve("damaged")).isDirectory();
    group.check();
  }

  @Test
  @EnabledIf("isLong")
  void shrinksToOneThatWasNotTheFirst() throws Exception {
    group.get(2).command("remove 1");
    group.await(() -> group.get(1).status().equals("REMOVED"));
    group.kill(1);
    group.awaitAppends(group.get(2), 10);
    group.get(2).command("remove 3");
    group.await(() -> group.get(3).status().equals("REMOVED"));
    group.kill(3);
    group.awaitAppends(group.get(2), 10);
    group.kill(2);
    startAndAppend(2);
    group.check();
  }

  @Test
  @EnabledIf("isLong")
  void fullDiskStopsAnElectorUntilThereIsSpace() throws Exception {
    var disk = Files.createDirectories(group.directory(4));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs", disk.toString()));
    try {
      group.join(4).send("append on");
      group.awaitAppends(group.get(4), 10);
      var filler = disk.resolve("filler");
      fill(filler);
      group.await(() -> group.get(4).hasProblem("No space left on device"));
      for (long each : List.of(1L, 2L, 3L)) {
        group.awaitAppends(group.get(each), 20);
      }
      Files.delete(filler);
      group.awaitAppends(group.get(4), 10);
      group.check();
    } finally {
      group.close();
      run("umount", disk.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private static void fill(Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      for (var block = new byte[4096]; ; ) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left on device");
    }
  }

  /** Cuts the last entries off. */
  private static void truncate(Path log) throws IOException {
    try (var channel = FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      channel.truncate(lastByte(channel) - 2000);
    }
  }

  private static void flip(Path log) throws IOException {
    try (var channel = FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      long at = lastByte(channel) - 1000;
      var one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 1)).rewind();
      channel.write(one, at);
    }
  }

  /** The position behind the last byte that is not zero, which is where the log ends. */
  private static long lastByte(FileChannel channel) throws IOException {
    var all = ByteBuffer.allocate((int) channel.size());
    channel.read(all, 0);
    int end = all.position();
    while (all.get(end - 1) == 0) {
      end--;
    }
    return end;
  }

  private static void delete(Path tree) throws IOException {
    try (var files = Files.walk(tree)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
