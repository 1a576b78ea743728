package verwalter.controllers.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;

/**
 * Templates that write the variable {@code text} of each role to one file, on a disk that is a map.
 * A text without {@code item} is held if the previous text had one.
 */
final class FakeTemplates implements Templates {
  final Map<String, String> disk = new HashMap<>();
  final Map<String, Map<String, String>> releases = new LinkedHashMap<>();
  final Map<String, List<String>> needs = new HashMap<>();
  final Set<String> failing = new HashSet<>();
  final Set<String> reporting = new HashSet<>();
  final List<String> written = new ArrayList<>();

  /** Each owner that was removed, with the files that it had. */
  final List<String> removed = new ArrayList<>();

  /** Roles whose templates read the whole schedule. */
  final Set<String> ofSchedule = new HashSet<>();

  /** The role of each rendering, including those without a change. */
  final List<String> rendered = new ArrayList<>();

  /** The role of each preparation. */
  final List<String> prepared = new ArrayList<>();

  /** The process files of each role. */
  final Map<String, List<TemplateOutput.ProcessFile>> processes = new HashMap<>();

  /** The digest that the last rendering of each role was compared with. */
  final Map<String, String> compared = new HashMap<>();

  /** The variables of the last rendering of each role. */
  final Map<String, Map<String, Object>> variables = new HashMap<>();

  int failures;
  int checks;

  /** Whether a check ends with an error that the templates do not expect. */
  boolean broken;

  private final Map<String, String> applied = new HashMap<>();

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    var role = wanted.role();
    rendered.add(role);
    compared.put(role, before.digest());
    variables.put(role, wanted.variables());
    if (failing.contains(role)) {
      failures++;
      throw new Failed(role + " cannot be written", false);
    }
    var kept = releases.computeIfAbsent(role, any -> new LinkedHashMap<>());
    var text =
        wanted.release().map(kept::get).orElse(String.valueOf(wanted.variables().get("text")));
    var mine = needs.getOrDefault(role, List.of());
    var last = Optional.ofNullable(applied.get(role));
    boolean changes = !last.equals(Optional.of(text));
    var obstacle = wanted.obstacle(mine);
    if (obstacle.filter(it -> changes || it.cycle()).isPresent()) {
      throw Failed.needing(obstacle.get(), mine);
    }
    if (!changes) {
      return look(wanted, text, mine);
    }
    var overruled = new ArrayList<String>();
    if (wanted.release().isEmpty() && text.isEmpty() && last.isPresent()) {
      var held = new TemplateOutput.Held(wanted.input(), List.of("list is empty"));
      if (!wanted.allowed().equals(Optional.of(held.input()))) {
        throw Failed.held(held, "list is empty");
      }
      overruled.add("list is empty");
    }
    if (wanted.release().isEmpty()) {
      kept.put(wanted.deployment(), text);
    }
    var drifted = drift(role);
    write(role, text);
    return result(role, text, drifted, !drifted.isEmpty(), false, overruled, mine, true);
  }

  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    prepared.add(wanted.role());
    if (failing.contains(wanted.role())) {
      throw new Failed(wanted.role() + " cannot be written", false);
    }
  }

  @Override
  public Applied check(Wanted wanted, Before before) {
    checks++;
    if (broken) {
      throw new IllegalStateException("broken");
    }
    if (!applied.containsKey(wanted.role())) {
      return Applied.of(before.digest(), List.of(), List.of(), false, false, List.of());
    }
    return look(wanted, applied.getOrDefault(wanted.role(), ""), List.of());
  }

  private Applied look(Wanted wanted, String text, List<String> mine) {
    var role = wanted.role();
    var drifted = drift(role);
    boolean reports = reporting.contains(role);
    boolean repairs = !drifted.isEmpty() && !reports && wanted.repairs();
    if (repairs) {
      write(role, text);
    }
    return result(role, text, drifted, repairs, reports, List.of(), mine, repairs);
  }

  private void write(String role, String text) {
    disk.put(role, text);
    applied.put(role, text);
    written.add(role + "=" + text);
  }

  private List<TemplateOutput.Changed> drift(String role) {
    return !applied.containsKey(role) || applied.get(role).equals(disk.get(role))
        ? List.of()
        : List.of(
            new TemplateOutput.Changed(
                "/" + role,
                "has other content",
                Optional.of(Json.hash(String.valueOf(disk.get(role)))),
                Optional.of("0644"),
                Optional.empty(),
                Optional.of("+" + disk.get(role))));
  }

  private Applied result(
      String role,
      String text,
      List<TemplateOutput.Changed> drifted,
      boolean repaired,
      boolean reports,
      List<String> overruled,
      List<String> mine,
      boolean changed) {
    var digest = Json.hash(text);
    return new Applied(
        digest,
        List.of(new TemplateOutput.File("/" + role, digest, "0644", text.length())),
        processes.getOrDefault(role, List.of()),
        releases.getOrDefault(role, Map.of()).entrySet().stream()
            .map(
                it ->
                    new TemplateOutput.Release(
                        it.getKey(), java.time.Instant.EPOCH, Json.hash(it.getValue())))
            .toList(),
        drifted,
        repaired,
        reports,
        overruled,
        mine,
        ofSchedule.contains(role),
        changed,
        List.of());
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) {
    removed.add(owner + " " + files.stream().map(TemplateOutput.File::path).toList());
    disk.remove(owner);
  }
}
