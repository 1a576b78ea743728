package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the notes of shims with one thread and without polling. An incomplete note is ignored;
 * its completion is another event.
 */
final class RunWatcher implements AutoCloseable {
  /** A note of a shim. */
  sealed interface Note {
    /** The program of the run has this process. */
    record Alive(String run, ProcessId process) implements Note {}

    /** The program of the run ended. */
    record Ended(String run, RunDirectory.End end) implements Note {}

    /** Neither the run's program nor its shim exists any more, and there is no note of its end. */
    record Vanished(String run) implements Note {}

    /** A watched log has grown. */
    record Grown() implements Note {}

    /** Notes may have been missed. */
    record Lost() implements Note {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(RunWatcher.class);

  private final WatchService service;
  private final WatchKey notes;
  private final RunDirectory runs;

  /** Directories whose watch failed, which is logged once. */
  private final Set<Path> unwatched = ConcurrentHashMap.newKeySet();

  /** Watches from now on; reports nothing before {@link #start}. */
  RunWatcher(Path directory, RunDirectory runs) throws IOException {
    this.service = directory.getFileSystem().newWatchService();
    this.runs = runs;
    this.notes =
        directory.register(
            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
  }

  void start(ThreadFactory threads, Consumer<Note> reader) {
    threads.newThread(() -> listen(reader)).start();
  }

  /**
   * Reports the next change of a file in one of the directories, once.
   *
   * @return whether all are watched; the kernel limits the number of watches
   */
  boolean watchOnce(Collection<Path> directories) {
    boolean all = true;
    for (var each : directories) {
      try {
        each.register(
            service, StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_CREATE);
        unwatched.remove(each);
      } catch (IOException | ClosedWatchServiceException unable) {
        all = false;
        if (unwatched.add(each)) {
          LOG.warn("{} cannot be watched: {}", each, unable.toString());
        }
      }
    }
    return all;
  }

  private void listen(Consumer<Note> reader) {
    try {
      for (WatchKey key = service.take(); ; key = service.take()) {
        if (!key.equals(notes)) {
          // Otherwise each line of a log would wake this thread.
          key.cancel();
          reader.accept(new Note.Grown());
          continue;
        }
        for (var event : key.pollEvents()) {
          if (event.context() instanceof Path file) {
            note(file.toString()).ifPresent(reader);
          } else {
            reader.accept(new Note.Lost());
          }
        }
        if (!key.reset()) {
          LOG.error("{} is gone; notes of shims are not seen any more", key.watchable());
          return;
        }
      }
    } catch (ClosedWatchServiceException closed) {
      // The thread ends this way.
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Note> note(String name) {
    if (name.endsWith(RunDirectory.PID)) {
      var run = name.substring(0, name.length() - RunDirectory.PID.length());
      return runs.process(run).map(process -> new Note.Alive(run, process));
    }
    if (name.endsWith(RunDirectory.EXIT)) {
      var run = name.substring(0, name.length() - RunDirectory.EXIT.length());
      return runs.end(run).map(end -> new Note.Ended(run, end));
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    service.close();
  }
}
