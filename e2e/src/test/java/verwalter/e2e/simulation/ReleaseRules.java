package verwalter.e2e.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import verwalter.supervisor.testkit.FakeMachine.FakeProcess;

/**
 * The invariants of releases on one machine, checked after every step by their numbers. {@link
 * ProcessRules}, {@link RefRules}, {@link ReplacementRules} and {@link StartRules} have those of
 * steps, {@link ReleaseSimulation} those of the end.
 *
 * <table>
 * <caption>Where each invariant is checked</caption>
 * <tr><td>I1</td><td>{@link MachineView#of}, {@link RefRules#ofWorks}</td></tr>
 * <tr><td>I2, I2b, I3, I5, I11</td><td>{@link ProcessRules}</td></tr>
 * <tr><td>I4, I7, I7t, I9, I9c, I12, I13, I14</td><td>{@link ReplacementRules}</td></tr>
 * <tr><td>I6, I8, I18, I19, I20, I22, I25</td><td>{@link RefRules}</td></tr>
 * <tr><td>I10, I24</td><td>{@link ReleaseSimulation}: with the faults everything ends; a ref that
 *     is not wanted delays nothing</td></tr>
 * <tr><td>I14, I15, I16, I17</td><td>{@link ProcessRules#stops}: a process ends only because a
 *     share, a phase or a larger counter says so, so neither a changed spec without a command nor
 *     one that cannot be used ends it</td></tr>
 * <tr><td>I23</td><td>not here: {@code DeploymentNameTest} has names that random operations do not
 *     meet</td></tr>
 * <tr><td>I21, I26</td><td>{@link StartRules}</td></tr>
 * </table>
 */
final class ReleaseRules {
  private final ReleaseCluster cluster;
  private final SimulatedNode node;
  private final ReleaseFacts facts;
  private final SimulationTrace trace;
  private final ProcessRules processes;
  private final RefRules refs;
  private final ReplacementRules replacements;
  private final StartRules starts;
  private Optional<MachineView> last = Optional.empty();
  private Map<String, Map<String, verwalter.model.ProcessSpec>> files = Map.of();
  private Map<String, FakeProcess> running = Map.of();
  private int history;
  private long revision = -1;

  ReleaseRules(
      ReleaseCluster cluster,
      SimulatedNode node,
      ReleaseFacts facts,
      PolicyOperations policies,
      SimulationTrace trace) {
    this.cluster = cluster;
    this.node = node;
    this.facts = facts;
    this.trace = trace;
    var disk = node.releases.orElseThrow();
    processes = new ProcessRules(node, facts);
    refs = new RefRules(disk, facts);
    replacements = new ReplacementRules(facts);
    starts = new StartRules(node, facts, policies);
  }

  /** Checks the machine after a step, if anything has changed. */
  void check() {
    facts.agent(node.hasAgent(), node.world.now());
    last.ifPresent(
        view -> {
          var broken = new ArrayList<String>();
          starts.times(view, node.world.now(), broken);
          judge(broken);
        });
    var nowFiles = node.machine.files();
    var nowRunning = node.machine.processes();
    int nowHistory = node.releases.orElseThrow().history.size();
    if (node.memory.revision() == revision
        && nowHistory == history
        && nowFiles.equals(files)
        && nowRunning.equals(running)) {
      return;
    }
    revision = node.memory.revision();
    history = nowHistory;
    files = nowFiles;
    running = nowRunning;
    var now = MachineView.of(node, last);
    facts.look(now, node.world.now());
    last.ifPresent(before -> note(before, now));
    var broken = new ArrayList<String>();
    processes.check(last, now, broken);
    refs.check(last, now, cluster.lags(), broken);
    replacements.check(last, now, node.world.now(), cluster.lags(), broken);
    starts.check(now, broken);
    last = Optional.of(now);
    judge(broken);
  }

  private void judge(List<String> broken) {
    if (!broken.isEmpty()) {
      throw new AssertionError(node.name + ": " + String.join("; ", broken));
    }
  }

  private void note(MachineView before, MachineView now) {
    for (var role : now.instances().keySet()) {
      var was = text(before, role);
      var is = text(now, role);
      if (!was.equals(is)) {
        trace.note("%s %s: %s".formatted(node.name, role, is));
      }
    }
    now.processes()
        .forEach(
            (slot, process) -> {
              var was = before.processes().get(slot);
              if (was == null || !was.equals(process)) {
                trace.note(
                    "%s %s %s %s"
                        .formatted(
                            node.name,
                            process.ends().isEmpty() ? "starts" : "stops",
                            slot,
                            process.image()));
              }
            });
    before.processes().keySet().stream()
        .filter(slot -> !now.processes().containsKey(slot))
        .forEach(slot -> trace.note("%s has ended %s".formatted(node.name, slot)));
  }

  private static String text(MachineView view, String role) {
    var replacement =
        view.replacement(role)
            .map(
                it ->
                    " %s%s%s %s to %s"
                        .formatted(
                            it.phase(),
                            it.down() ? " down" : "",
                            it.back() ? " back" : "",
                            it.from().orElse("none"),
                            it.to().orElse("none")))
            .orElse("");
    return view.status(role).map(it -> it.state().name()).orElse("new")
        + replacement
        + (view.isDeleting(role) ? " deleting" : "");
  }

  /**
   * Adds what is broken.
   *
   * @param text with {@code %s} or {@code %d} for each argument, which is not needed mostly
   */
  static void require(boolean holds, List<String> broken, String text, Object... arguments) {
    if (!holds) {
      var message = text;
      for (var each : arguments) {
        var shown = Matcher.quoteReplacement(String.valueOf(each));
        message = message.replaceFirst("%[sd]", shown);
      }
      broken.add(message);
    }
  }
}
