package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.controllers.template.Templates.Applied;
import verwalter.controllers.template.Templates.Before;
import verwalter.controllers.template.Templates.Failed;
import verwalter.controllers.template.Templates.Wanted;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;
import verwalter.render.apply.Programs;

/** Runs real templates on a real disk. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class RoleTemplatesTest {
  private static final String RECIPE =
      """
      templates: {list: list.j2}
      commands:
      - !Copy {src: "{{ files.list }}", dest: TEMP/list}
      - !Cmd [reload]
      """;

  @TempDir Path temp;
  private final List<String> ran = new ArrayList<>();
  private RoleTemplates templates;
  private Before before = Before.NOTHING;
  private int deployments;
  private boolean killed;
  private boolean failing;
  private Needs needs = Needs.NONE;

  /** Simulates the end of the agent's process. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void config() throws IOException {
    Files.createDirectories(temp.resolve("config/templates/web"));
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    write("list.j2", "# list\n{% for s in servers %}server {{ s }};\n{% endfor %}");
    write("a.render.yaml", RECIPE.replace("TEMP", temp.toString()));
    var programs =
        new Programs() {
          @Override
          public Outcome run(List<String> argv) {
            if (killed) {
              throw new Killed();
            }
            if (failing) {
              return new Outcome.Exited(3, "no such service\n");
            }
            ran.add(String.join(" ", argv));
            return new Outcome.Exited(0, "");
          }

          @Override
          public Outcome runAsRoot(List<String> argv) {
            return run(argv);
          }
        };
    templates =
        new RoleTemplates(
            temp.resolve("config"),
            temp.resolve("state"),
            programs,
            (sandbox, text, source) -> new TemplateOutput.ProcessFile(sandbox, Map.of()),
            Runnable::run);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(temp.resolve("config/templates/web").resolve(name), text);
  }

  private void rules(String text) throws IOException {
    write("a.render.yaml", text + "\n" + RECIPE.replace("TEMP", temp.toString()));
  }

  private Wanted wanted(List<String> servers, String release, String allowed, boolean repairs) {
    return new Wanted(
        "web@n1",
        "web",
        "web",
        Map.of("servers", servers),
        String.valueOf(servers),
        "d" + ++deployments,
        Instant.EPOCH,
        Optional.of(release).filter(it -> !it.isEmpty()),
        Optional.of(allowed).filter(it -> !it.isEmpty()),
        repairs,
        () -> needs);
  }

  private Applied apply(Wanted wanted) throws Failed {
    return remembered(templates.apply(wanted, before));
  }

  private Applied apply(String... servers) throws Failed {
    return apply(wanted(List.of(servers), "", "", true));
  }

  private Applied check(boolean repairs) throws Failed {
    return remembered(templates.check(wanted(List.of(), "", "", repairs), before));
  }

  private Applied remembered(Applied applied) {
    before = new Before(applied.digest(), applied.files(), applied.processes(), applied.releases());
    return applied;
  }

  private String list() throws IOException {
    return Files.readString(temp.resolve("list"));
  }

  @Test
  void aReleaseIsRestoredByItsDeploymentId() throws Exception {
    apply("a");
    apply("a", "b");
    write("list.j2", "{{ broken");
    assertThat(before.releases()).extracting(TemplateOutput.Release::deployment).hasSize(2);

    apply(wanted(List.of("x"), "d1", "", true));

    assertThat(list()).isEqualTo("# list\nserver a;\n");
    assertThat(ran).hasSize(3);
    assertThat(before.releases()).hasSize(2);
    var unknown =
        catchThrowableOfType(Failed.class, () -> apply(wanted(List.of("x"), "d9", "", true)));
    assertThat(unknown).hasMessage("there is no release d9; see: vw files history web");
  }

  @Test
  void aListThatShrinksTooMuchIsHeldUntilAllowed() throws Exception {
    rules("guards: {list: {lines: '^server'}}");
    apply("a", "b", "c", "d", "e");

    var failure = catchThrowableOfType(Failed.class, () -> apply("a"));

    assertThat(failure)
        .hasMessage(
            "templates/web/a.render.yaml: list would go from 5 items to 1, and more than 50 %"
                + " must not go at once; if this is intended: vw files allow web");
    assertThat(list()).contains("server e;");
    var held = failure.held().orElseThrow().input();
    var other =
        catchThrowableOfType(Failed.class, () -> apply(wanted(List.of("b"), "", held, true)));
    assertThat(other.held().orElseThrow().input()).isNotEqualTo(held);
    var applied = apply(wanted(List.of("a"), "", held, true));
    assertThat(applied.overruled()).hasSize(1);
    assertThat(list()).isEqualTo("# list\nserver a;\n");
  }

  @Test
  void aFileThatBecomesEmptyIsHeldWithoutAGuard() throws Exception {
    write("list.j2", "{% for s in servers %}server {{ s }};\n{% endfor %}");
    apply("a", "b");
    assertThat(catchThrowableOfType(Failed.class, this::apply))
        .hasMessageContaining("list would go from 2 lines to none");
    apply("a");
  }

  @Test
  void aDriftedFileIsRestoredAndItsCommandsRun() throws Exception {
    apply("a");
    Files.writeString(temp.resolve("list"), "# list\nserver b;\n");

    var waiting = check(false);
    assertThat(waiting.repaired()).isFalse();
    assertThat(list()).contains("server b;");
    var applied = check(true);

    assertThat(applied.repaired()).isTrue();
    assertThat(applied.drifted().get(0).patch().orElseThrow()).contains("-server a;\n+server b;\n");
    assertThat(list()).isEqualTo("# list\nserver a;\n");
    assertThat(ran).hasSize(2);
    assertThat(check(true).drifted()).isEmpty();
    assertThat(ran).hasSize(2);
  }

  @Test
  void aReleaseIsListedAlthoughAnOlderOneCannotBeRemoved() throws Exception {
    apply("s0");
    Files.createDirectories(temp.resolve("state/web@n1/releases/00000000.release/obstacle"));
    for (int i = 1; i <= 10; i++) {
      apply("s" + i);
    }
    assertThat(before.releases())
        .extracting(TemplateOutput.Release::deployment)
        .hasSize(10)
        .endsWith("d10", "d11");
  }

  @Test
  void theOwnerOfADriftedFileIsRestored() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
    apply("a");
    Files.setAttribute(temp.resolve("list"), "unix:uid", 1000);
    Files.setAttribute(temp.resolve("list"), "unix:gid", 1001);

    var applied = check(true);

    assertThat(applied.repaired()).isTrue();
    assertThat(applied.drifted().get(0).what()).isEqualTo("belongs to 1000:1001 instead of 0:0");
    assertThat(applied.drifted().get(0).owner()).hasValue("1000:1001");
    assertThat(Files.getAttribute(temp.resolve("list"), "unix:uid")).isEqualTo(0);
    assertThat(Files.getAttribute(temp.resolve("list"), "unix:gid")).isEqualTo(0);
    assertThat(check(true).drifted()).isEmpty();
  }

  @Test
  void aDriftedFileIsRestoredAlthoughItsTemplatesAreBroken() throws Exception {
    apply("a");
    write("list.j2", "{{ broken");
    Files.delete(temp.resolve("list"));
    assertThat(check(true).repaired()).isTrue();
    assertThat(list()).isEqualTo("# list\nserver a;\n");
  }

  @Test
  void aRoleMayReportDriftWithoutRepair() throws Exception {
    rules("drift: report");
    apply("a");
    Files.writeString(temp.resolve("list"), "mine\n");
    var applied = check(true);
    assertThat(applied.reportsOnly()).isTrue();
    assertThat(applied.drifted()).hasSize(1);
    assertThat(list()).isEqualTo("mine\n");
  }

  @Test
  void aRoleWaitsForTheRoleItNeeds() throws Exception {
    rules("needs: [db]");
    var failure = catchThrowableOfType(Failed.class, () -> apply("a"));
    assertThat(failure.why()).isEqualTo(Failed.Why.WAITING);
    assertThat(failure.needs()).containsExactly("db");
    assertThat(temp.resolve("list")).doesNotExist();
  }

  @Test
  void aCycleIsRefusedAlthoughNothingWouldChange() throws Exception {
    apply("a");
    rules("needs: [web]");
    var failure = catchThrowableOfType(Failed.class, () -> apply("a"));
    assertThat(failure.why()).isEqualTo(Failed.Why.CYCLE);
    assertThat(failure).hasMessageContaining("web -> web");
    rules("needs: [db]");
    assertThat(apply("a").changed()).isFalse();
    needs = new Needs(Set.of("db"), Set.of("db", "web"), Map.of("db", List.of("web")));
    assertThat(catchThrowableOfType(Failed.class, () -> apply("a")).why())
        .isEqualTo(Failed.Why.CYCLE);
  }

  @Test
  void aRemovedRoleLeavesNoFiles() throws Exception {
    apply("a");
    templates.remove("web@n1", before.files());
    assertThat(temp.resolve("list")).doesNotExist();
    assertThat(temp.resolve("state/web@n1/releases")).isEmptyDirectory();
  }

  /** Ends the process after it has switched its files. */
  private void killedWhileApplying(String... servers) {
    killed = true;
    assertThatThrownBy(() -> apply(servers)).isInstanceOf(Killed.class);
    killed = false;
  }

  @Test
  void anUnfinishedRunIsUndoneAlthoughTheTemplateIsBroken() throws Exception {
    apply("a");
    killedWhileApplying("a", "b");
    assertThat(list()).contains("server b;");
    write("list.j2", "{{ broken");

    assertThatThrownBy(() -> apply("a", "b")).isInstanceOf(Failed.class);

    assertThat(list()).isEqualTo("# list\nserver a;\n");
  }

  @Test
  void anUnfinishedRunIsUndoneAlthoughTheInputIsUnchanged() throws Exception {
    apply("a");
    var recipe = RECIPE.replace("TEMP", temp.toString());
    write("a.render.yaml", recipe.replace("/list}", "/another}"));
    killedWhileApplying("a");
    assertThat(temp.resolve("another")).exists();
    write("a.render.yaml", recipe);

    var applied = apply("a");

    assertThat(temp.resolve("another")).doesNotExist();
    assertThat(list()).isEqualTo("# list\nserver a;\n");
    assertThat(applied.drifted()).isEmpty();
    assertThat(LogPiece.text(applied.log()))
        .startsWith(temp + "/another: put back after an unfinished run\n");
  }

  @Test
  void anUnfinishedRunIsUndoneAndIsNoDriftWhereDriftIsOnlyReported() throws Exception {
    rules("drift: report");
    apply("a");
    killedWhileApplying("b");

    var applied = check(true);

    assertThat(applied.drifted()).isEmpty();
    assertThat(list()).isEqualTo("# list\nserver a;\n");
  }

  @Test
  void aFailureHasTheOutputOfTheCommandThatFailed() {
    failing = true;
    var failure = catchThrowableOfType(Failed.class, () -> apply("a"));
    assertThat(LogPiece.text(failure.log())).contains("no such service");
    assertThat(failure.why()).isEqualTo(Failed.Why.MACHINE);
  }

  @Test
  void aNewRenderingReplacesADriftedFileAndReportsIt() throws Exception {
    apply("a");
    Files.writeString(temp.resolve("list"), "mine\n");

    var applied = apply("b");

    assertThat(applied.drifted()).hasSize(1);
    assertThat(applied.repaired()).isTrue();
    assertThat(list()).isEqualTo("# list\nserver b;\n");
    assertThat(apply("c").repaired()).isFalse();
  }

  @Test
  void theStateOfARenamedMachineMovesOnce() throws Exception {
    templates.move("web@n1", "web@n2");
    assertThat(temp.resolve("state/web@n2")).doesNotExist();
    apply("a");

    templates.move("web@n1", "web@n2");
    assertThat(temp.resolve("state/web@n1")).doesNotExist();
    assertThat(temp.resolve("state/web@n2/releases")).isNotEmptyDirectory();

    apply("b");
    templates.move("web@n1", "web@n2");
    assertThat(temp.resolve("state/web@n1/releases")).isNotEmptyDirectory();
    assertThat(temp.resolve("state/web@n2/releases")).isNotEmptyDirectory();
  }
}
