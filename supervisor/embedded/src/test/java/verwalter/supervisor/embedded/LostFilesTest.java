package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;

/**
 * Real processes go on if files of the supervisor are missing, empty, cut off or unreadable, while
 * it runs and when it is opened. The next request for the group repairs its files, and a request
 * still changes or ends the processes.
 */
class LostFilesTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
    site.settings = Settings.standard().allowingCommands();
    site.image("one", "exec sleep 300", "");
    site.open();
    site.run(wanted("hello"));
    site.awaitRunning(3);
    site.until(
        () -> {
          for (var pid : pids().values()) {
            if (!hasReadItsScript(pid)) {
              return false;
            }
          }
          return true;
        });
  }

  /** A shell that has not read its script yet would end if a test replaced the script meanwhile. */
  private static boolean hasReadItsScript(long pid) throws IOException {
    return Files.readString(Path.of("/proc/%d/comm".formatted(pid))).equals("sleep\n");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static Map<String, ProcessSpec> wanted(String greeting) {
    var line = List.of("/bin/sh", "-c", "exec sleep 300");
    var command = ProcessSpec.Command.of(line, Map.of("GREETING", greeting));
    return Map.of(
        "api", Site.entry("one", 1),
        "web", Site.entry("one", 1),
        "job", ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 1, command));
  }

  /** What happens to files. */
  enum Loss {
    PROCESS_FILE_MISSING("processes/shop.yaml") {
      @Override
      void happen(Path file) throws IOException {
        Files.delete(file);
      }
    },
    PROCESS_FILE_EMPTY("processes/shop.yaml") {
      @Override
      void happen(Path file) throws IOException {
        Files.writeString(file, "");
      }
    },
    PROCESS_FILE_CUT_OFF("processes/shop.yaml") {
      @Override
      void happen(Path file) throws IOException {
        var text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.indexOf("\"web\"")));
      }
    },
    PROCESS_FILE_UNREADABLE("processes/shop.yaml") {
      @Override
      void happen(Path file) throws IOException {
        Files.delete(file);
        Files.createDirectory(file);
      }
    },
    COMMANDS_MISSING("processes/shop.json") {
      @Override
      void happen(Path file) throws IOException {
        Files.delete(file);
      }
    },
    COMMANDS_EMPTY("processes/shop.json") {
      @Override
      void happen(Path file) throws IOException {
        Files.writeString(file, "");
      }
    },
    PROCESS_FILES_MISSING("processes") {
      @Override
      void happen(Path file) throws IOException {
        delete(file);
      }
    },
    PROCESS_FILES_EMPTY("processes") {
      @Override
      void happen(Path file) throws IOException {
        delete(file);
        Files.createDirectory(file);
      }
    },
    SANDBOXES_MISSING("sandboxes") {
      @Override
      void happen(Path file) throws IOException {
        delete(file);
      }
    },
    SANDBOX_UNREADABLE("sandboxes/shop.yaml") {
      @Override
      void happen(Path file) throws IOException {
        Files.writeString(file, "image-dir: [");
      }
    },
    IMAGES_MISSING("images") {
      @Override
      void happen(Path file) throws IOException {
        delete(file);
      }
    },
    LOGS_MISSING("log") {
      @Override
      void happen(Path file) throws IOException {
        delete(file);
      }
    };

    private final String file;

    Loss(String file) {
      this.file = file;
    }

    abstract void happen(Path file) throws IOException;

    void happenIn(Path base) throws IOException {
      happen(base.resolve(file));
    }

    private static void delete(Path tree) throws IOException {
      try (var files = Files.walk(tree)) {
        for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private Map<String, Long> pids() {
    return site.slots().stream().collect(Collectors.toMap(Slot::name, it -> it.pid().orElse(-1L)));
  }

  /** The sandbox and its images are back, so that requests are accepted. */
  private void restore() {
    try {
      Files.deleteIfExists(base.resolve("sandboxes/shop.yaml"));
      var file = base.resolve("processes/shop.yaml");
      if (Files.isDirectory(file)) {
        Files.delete(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    site.sandbox("shop", "");
    site.image("one", "exec sleep 300", "");
  }

  private void assertRepairedByRequests(Map<String, Long> before) {
    restore();
    site.run(wanted("hello"));
    assertThat(pids()).isEqualTo(before);
    site.reopen();
    site.awaitRunning(3);
    assertThat(pids()).isEqualTo(before);
    site.run(wanted("good evening"));
    site.until(() -> !Site.alive(before.get("shop/job.0")));
    site.awaitRunning(3);
    assertThat(site.pid("web.0")).isEqualTo(before.get("shop/web.0"));
    Site.done(site.supervisor.remove("shop"));
    assertThat(before.values()).noneMatch(Site::alive);
    assertThat(site.supervisor.groups()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void filesAreLostWhileNoSupervisorRuns(Loss loss) throws IOException {
    var before = pids();

    Site.done(site.supervisor.shutdown());
    loss.happenIn(base);
    site.reopen();
    site.awaitRunning(3);

    assertThat(pids()).isEqualTo(before);
    Site.done(site.supervisor.reload("shop"));
    assertThat(pids()).isEqualTo(before);
    assertThat(before.values()).allMatch(Site::alive);
    assertRepairedByRequests(before);
  }

  @ParameterizedTest
  @EnumSource
  void filesAreLostWhileTheSupervisorRuns(Loss loss) throws IOException {
    var before = pids();

    loss.happenIn(base);
    Site.done(site.supervisor.reload("shop"));

    assertThat(pids()).isEqualTo(before);
    assertThat(site.slots()).allMatch(slot -> slot.state() == State.RUNNING);
    assertThat(before.values()).allMatch(Site::alive);
    assertRepairedByRequests(before);
  }

  /** What happens to the notes of runs. */
  enum LostNote {
    LAUNCH_MISSING(RunDirectory.LAUNCH) {
      @Override
      void happen(Path note) throws IOException {
        Files.delete(note);
      }
    },
    LAUNCH_EMPTY(RunDirectory.LAUNCH) {
      @Override
      void happen(Path note) throws IOException {
        Files.writeString(note, "");
      }
    },
    LAUNCH_CUT_OFF(RunDirectory.LAUNCH) {
      @Override
      void happen(Path note) throws IOException {
        Files.writeString(note, Files.readString(note).substring(0, 60));
      }
    },
    PID_MISSING(RunDirectory.PID) {
      @Override
      void happen(Path note) throws IOException {
        Files.delete(note);
      }
    },
    PID_EMPTY(RunDirectory.PID) {
      @Override
      void happen(Path note) throws IOException {
        Files.writeString(note, "");
      }
    },
    EXIT_MISSING(RunDirectory.EXIT) {
      @Override
      void happen(Path note) throws IOException {
        Files.delete(note);
      }
    },
    ALL_MISSING("") {
      @Override
      void happen(Path note) throws IOException {
        Files.delete(note);
      }
    };

    private final String suffix;

    LostNote(String suffix) {
      this.suffix = suffix;
    }

    abstract void happen(Path note) throws IOException;

    void happenIn(Path run) throws IOException {
      try (var files = Files.list(run)) {
        var notes =
            files.filter(file -> file.toString().matches(".*\\.(launch|pid|exit)")).toList();
        for (var each : notes) {
          if (each.toString().endsWith(suffix)) {
            happen(each);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void notesOfRunsAreLostWhileNoSupervisorRuns(LostNote loss) throws IOException {
    var before = pids();

    Site.done(site.supervisor.shutdown());
    loss.happenIn(base.resolve("run"));
    site.reopen();
    site.awaitRunning(3);
    Site.done(site.supervisor.reload("shop"));

    assertThat(pids()).isEqualTo(before);
    assertThat(before.values()).allMatch(Site::alive);
    assertRepairedByRequests(before);
  }

  /** Every user can start a process with the mark of a run and the arguments of its shim. */
  @Test
  void aProcessOfAnotherUserIsNoRunWhateverItsMarkSays() throws IOException {
    assumeTrue(
        Files.getAttribute(base, "unix:uid").equals(0), "only root starts processes of others");
    var before = pids();
    var runs = new RunDirectory(base.resolve("run").toRealPath());
    var id = "shop:web.0:zz-1";
    Site.done(site.supervisor.shutdown());
    var forged =
        new ProcessBuilder(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "sh",
                "-c",
                "setsid env %s=%s sleep 300 & wait".formatted(RunDirectory.MARK, runs.mark(id)),
                runs.path(id).toString())
            .start();
    try {
      site.until(() -> Proc.marked(runs.scope(), any -> true).containsKey(id));
      site.reopen();
      site.awaitRunning(3);
      assertThat(pids()).isEqualTo(before);
      assertThat(before.values()).allMatch(Site::alive);
      assertThat(runs.process(id)).isEmpty();
    } finally {
      forged.descendants().forEach(ProcessHandle::destroyForcibly);
      forged.destroyForcibly();
    }
  }

  @Test
  void notesAndProcessFilesAreLostTogether() throws IOException {
    var before = pids();

    Site.done(site.supervisor.shutdown());
    LostNote.LAUNCH_MISSING.happenIn(base.resolve("run"));
    Loss.PROCESS_FILES_MISSING.happenIn(base);
    site.reopen();
    site.awaitRunning(3);
    Site.done(site.supervisor.reload("shop"));

    assertThat(pids()).isEqualTo(before);
    assertRepairedByRequests(before);
  }

  @Test
  void theExitCodeOfARunWhoseNoteWasLostIsKnown() throws IOException {
    site.close();
    site = new Site(base.resolve("other"));
    site.settings = Settings.standard().allowingCommands();
    site.open();
    var line =
        List.of("/bin/sh", "-c", "trap 'exit 7' USR1; echo ready; while :; do sleep 1; done");
    site.run(
        Map.of(
            "job",
            ProcessSpec.ofCommand(
                ProcessSpec.Type.DAEMON, 1, ProcessSpec.Command.of(line, Map.of()))));
    site.awaitRunning(1);
    site.until(() -> site.read("log/shop.job.0.log").contains("\nready\n"));
    Site.done(site.supervisor.shutdown());
    LostNote.LAUNCH_MISSING.happenIn(site.layout.run());
    site.reopen();
    site.awaitRunning(1);

    new ProcessBuilder("kill", "-USR1", "" + site.pid("job.0")).start();

    var slot = site.awaitSlot("job.0", it -> it.lastExit().isPresent());
    assertThat(slot.lastExit().orElseThrow().code()).contains(7);
  }

  @Test
  void theReasonNamesTheMissingFile() throws IOException {
    Files.delete(base.resolve("processes/shop.yaml"));

    site.reopen();
    site.awaitRunning(3);

    assertThat(site.slot("web.0").reason()).contains("processes/shop.yaml is missing");
  }

  @Test
  void aProcessWithoutFileThatEndsMeanwhileIsStartedByTheNextRequest() throws IOException {
    Files.delete(base.resolve("processes/shop.yaml"));
    site.reopen();
    site.awaitRunning(3);

    Site.kill9(site.pid("web.0"));
    site.awaitSlot("web.0", slot -> slot.state() == State.REFUSED);
    site.run(wanted("hello"));

    site.awaitRunning(3);
  }

  @Test
  void aRemovalThatWasInterruptedGoesOn() throws IOException {
    var before = pids();
    Site.done(site.supervisor.shutdown());
    new ProcessFileDirectory(
            site.layout, new ProcessExaminer(Machine.host(site.layout, site.settings)))
        .empty("shop");

    site.reopen();

    site.until(() -> before.values().stream().noneMatch(Site::alive));
  }

  @Test
  void aGroupThatWasRemovedStaysGone() {
    Site.done(site.supervisor.remove("shop"));

    site.reopen();
    site.run(wanted("hello"));
    site.awaitRunning(3);
    Site.done(site.supervisor.remove("shop"));

    assertThat(site.supervisor.groups()).isEmpty();
  }
}
