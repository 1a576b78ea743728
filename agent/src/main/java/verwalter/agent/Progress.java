package verwalter.agent;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/** Prints how roles and their processes start. Confined to its loop. */
final class Progress {
  private final ObjectStore store;
  private final PrintWriter out;
  private final String address;
  private final Map<String, String> said = new TreeMap<>();
  private final Runnable onConverged;
  private boolean converged;

  /**
   * @param address address of the web page, which is printed
   * @param onConverged runs on the loop once all processes run
   */
  Progress(ObjectStore store, PrintWriter out, String address, Runnable onConverged) {
    this.onConverged = onConverged;
    this.store = store;
    this.out = out;
    this.address = address;
  }

  /** Starts to print, until the watches are closed. */
  List<Watch> start(Loop loop) {
    return List.of(
        store.watch(RoleInstance.KIND, loop, this::instance),
        store.watch(ProcessGroup.KIND, loop, this::group));
  }

  private void instance(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      put.resource().status().ifPresent(status -> instance(put.resource().spec().role(), status));
    }
  }

  private void instance(String role, RoleInstance.Status status) {
    var text = status.state() + (status.reason().isEmpty() ? "" : "  " + status.reason());
    say(status.state() == State.BROKEN ? "!" : "*", role, text);
    converge();
  }

  private void converge() {
    if (!converged && allRun()) {
      converged = true;
      out.println();
      out.println("Everything runs. See " + address + " or type: ./vw get ri,pg");
      out.println("Ctrl-C stops it.");
      out.println();
      out.flush();
      onConverged.run();
    }
  }

  private boolean allRun() {
    var instances = store.list(RoleInstance.KIND);
    return !instances.isEmpty()
        && instances.stream()
            .allMatch(each -> each.status().filter(now -> now.state() == State.RUNNING).isPresent())
        && store.list(ProcessGroup.KIND).stream()
            .flatMap(group -> group.status().stream())
            .flatMap(status -> status.processes().stream())
            .allMatch(slot -> slot.state() == ProcessGroup.State.RUNNING && isNews(slot));
  }

  /**
   * Whether the slot was reported by this process. At first the store contains the slots of an
   * earlier demo.
   */
  private static boolean isNews(ProcessGroup.Slot slot) {
    return slot.pid().isEmpty() || ProcessHandle.of(slot.pid().get()).isPresent();
  }

  private void group(Change<ProcessGroup.Spec, ProcessGroup.Status> change) {
    if (change instanceof Change.Put<ProcessGroup.Spec, ProcessGroup.Status> put) {
      put.resource().status().stream()
          .flatMap(status -> status.processes().stream())
          .filter(Progress::isNews)
          .forEach(
              slot ->
                  say(
                      slot.state() == ProcessGroup.State.REFUSED ? "!" : "+",
                      slot.name(),
                      slot.state()
                          + slot.pid().map(pid -> "  pid " + pid).orElse("")
                          + (slot.reason().isEmpty() ? "" : "  " + slot.reason())));
      converge();
    }
  }

  /** Prints which processes will be stopped. */
  void stopping() {
    out.println();
    store.list(ProcessGroup.KIND).stream()
        .flatMap(group -> group.status().stream())
        .flatMap(status -> status.processes().stream())
        .filter(slot -> slot.state() == ProcessGroup.State.RUNNING)
        .forEach(
            slot ->
                out.printf(
                    "Stopping %s%s%n",
                    slot.name(), slot.pid().map(pid -> " (pid " + pid + ")").orElse("")));
    out.println("Stopping the agent");
    out.flush();
  }

  private void say(String mark, String what, String text) {
    if (!text.equals(said.put(what, text))) {
      out.printf("%s %-18s %s%n", mark, what, text);
      out.flush();
    }
  }
}
