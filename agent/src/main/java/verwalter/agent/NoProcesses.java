package verwalter.agent;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

/** The supervisor of a dry run: accepts everything and starts nothing. */
final class NoProcesses implements Supervisor {
  @Override
  public List<String> check(String sandbox, Map<String, ProcessSpec> processes) {
    return List.of();
  }

  @Override
  public Future<Void> run(String sandbox, Map<String, ProcessSpec> processes) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Boolean> restart(String sandbox, ProcessGroup.Slot slot, String why) {
    return Future.succeededFuture(false);
  }

  @Override
  public Future<Void> remove(String sandbox) {
    return Future.succeededFuture();
  }

  @Override
  public Optional<List<ProcessGroup.Slot>> processes(String sandbox) {
    return Optional.empty();
  }

  @Override
  public Set<String> groups() {
    return Set.of();
  }

  @Override
  public Watch watch(Loop loop, Consumer<String> watcher) {
    return () -> {};
  }

  @Override
  public void close() {}
}
