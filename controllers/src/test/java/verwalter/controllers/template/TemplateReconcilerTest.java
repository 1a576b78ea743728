package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;
import verwalter.render.recipe.Rendered;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;

/** Tests releases, guards, drift and order in virtual time, on a disk that is a map. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class TemplateReconcilerTest {
  private final VirtualWorld world = new VirtualWorld(7);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final CountingStore counting = new CountingStore(store);
  private final FakeTemplates templates = new FakeTemplates();
  private final List<String> watched = new ArrayList<>();

  /** The outputs whose files are watched. */
  private final Set<String> owners = new HashSet<>();

  private Consumer<String> changed = owner -> {};
  private int deployments;
  private final RunningControllers controllers = new RunningControllers();
  private StallingLoop sticking;
  private TemplateReconciler reconciler;

  @BeforeEach
  void start() {
    var loop = new StallingLoop(world.loop("template"));
    sticking = loop;
    reconciler =
        new TemplateReconciler(
            counting,
            loop,
            templates,
            (on, report) -> {
              changed = report;
              return new FileWatch.Watching() {
                @Override
                public boolean watch(String owner, List<String> files) {
                  watched.addAll(files);
                  return !files.isEmpty() && owners.add(owner);
                }

                @Override
                public void close() {}
              };
            },
            new Events(store, world.loop("events"), "n1"),
            "n1",
            "0",
            () -> Future.succeededFuture("d" + ++deployments));
    controllers.start(loop, reconciler.controller());
    settle();
  }

  /** A loop on which some offloaded work never ends. */
  private static final class StallingLoop implements Loop {
    private final Loop loop;
    private int left;

    StallingLoop(Loop loop) {
      this.loop = loop;
    }

    @Override
    public Instant now() {
      return loop.now();
    }

    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return loop.after(delay, task);
    }

    @Override
    public <V> Future<V> offload(Callable<V> work) {
      return left-- > 0 ? Promise.<V>promise().future() : loop.offload(work);
    }
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(2));
  }

  private static String name(String role) {
    return RoleInstance.name(role, "n1");
  }

  private void want(String role, String text) {
    output(role, text);
    instance(role, text);
  }

  private void output(String role, String text) {
    var spec = new Spec(role, "n1", "t", Map.of("text", text));
    var there = store.get(TemplateOutput.KIND, name(role));
    world.await(
        store.put(
            there
                .map(it -> it.withSpec(spec))
                .orElse(Resource.of(TemplateOutput.KIND, name(role), spec))));
  }

  private void instance(String role, String text) {
    var spec = new RoleInstance.Spec(role, "n1", "t", Optional.empty(), Map.of("text", text));
    var before = store.get(RoleInstance.KIND, name(role));
    world.await(
        store.put(
            before
                .map(it -> it.withSpec(spec))
                .orElse(Resource.of(RoleInstance.KIND, name(role), spec))));
  }

  /** Every process of the role runs. */
  private void run(String role) {
    var instance = store.get(RoleInstance.KIND, name(role)).orElseThrow();
    world.await(
        store.putStatus(
            instance.withStatus(
                new RoleInstance.Status(
                    instance.meta().generation(),
                    RoleInstance.State.RUNNING,
                    1,
                    1,
                    0,
                    Instant.EPOCH,
                    "",
                    List.of()))));
    settle();
  }

  private void schedule(String log) {
    var spec = Schedule.Spec.of(Map.of("log", log), List.of(), "n1", Instant.EPOCH);
    var before = store.get(Schedule.KIND, Schedule.CURRENT);
    world.await(
        store.put(
            before
                .map(it -> it.withSpec(spec))
                .orElse(Resource.of(Schedule.KIND, Schedule.CURRENT, spec))));
    settle();
  }

  @Test
  void onlyATemplateThatReadsTheScheduleIsRenderedForEachSchedule() {
    templates.ofSchedule.add("proxy");
    schedule("one");
    want("proxy", "a");
    want("web", "b");
    settle();
    assertThat(templates.rendered).containsExactlyInAnyOrder("proxy", "web");

    schedule("two");

    assertThat(templates.rendered).containsExactlyInAnyOrder("proxy", "web", "proxy");
    assertThat(templates.written).containsExactlyInAnyOrder("proxy=a", "web=b");
  }

  private Resource<Spec, Status> output(String role) {
    return store.get(TemplateOutput.KIND, name(role)).orElseThrow();
  }

  private Status status(String role) {
    return output(role).status().orElseThrow();
  }

  private String condition(String role, String type) {
    return status(role).conditions().stream()
        .filter(it -> it.type().equals(type))
        .findFirst()
        .map(it -> it.status() + " " + it.reason())
        .orElse("");
  }

  private void annotate(String role, String name, String value) {
    var annotations = new HashMap<>(output(role).meta().annotations());
    if (value.isEmpty()) {
      annotations.remove(name);
    } else {
      annotations.put(name, value);
    }
    var output = output(role);
    world.await(store.put(output.withMeta(output.meta().withAnnotations(annotations))));
    settle();
  }

  private void change(String role, String text) {
    templates.disk.put(role, text);
    changed.accept(name(role));
    settle();
  }

  private List<String> reasons() {
    return store.list(Event.KIND).stream().map(it -> it.spec().reason()).toList();
  }

  @Test
  void aRestoredReleaseStaysPinnedUntilItIsUnpinned() {
    want("web", "item 1");
    settle();
    want("web", "item 2");
    settle();
    var first = status("web").releases().get(0).deployment();
    assertThat(status("web").releases()).hasSize(2);

    annotate("web", TemplateOutput.PIN, first);

    assertThat(templates.disk).containsEntry("web", "item 1");
    assertThat(condition("web", "Rendered")).isEqualTo("TRUE RolledBack");
    want("web", "item 3");
    settle();
    assertThat(templates.disk).containsEntry("web", "item 1");
    assertThat(status("web").observedGeneration()).isEqualTo(output("web").meta().generation());

    annotate("web", TemplateOutput.PIN, "");

    assertThat(templates.disk).containsEntry("web", "item 3");
    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");
    assertThat(reasons()).contains("RolledBack", "Rendered");
  }

  @Test
  void aPermissionIsValidOnceAndForItsInputOnly() {
    want("web", "item");
    settle();
    want("web", "");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Held");
    assertThat(templates.disk).containsEntry("web", "item");
    var held = status("web").held().orElseThrow();
    change("web", "item");
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Held");
    change("web", "by hand");
    assertThat(templates.disk).containsEntry("web", "item");
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Held");
    assertThat(status("web").held()).hasValue(held);

    annotate("web", TemplateOutput.ALLOW, "another");
    assertThat(templates.disk).containsEntry("web", "item");

    templates.rendered.clear();
    annotate("web", TemplateOutput.ALLOW, held.input());
    assertThat(templates.rendered).containsExactly("web");
    assertThat(controllers.counters()).singleElement().matches(each -> each.failures() == 0);
    assertThat(templates.disk).containsEntry("web", "");
    assertThat(status("web").held()).isEmpty();
    assertThat(output("web").meta().annotations()).isEmpty();
    assertThat(reasons()).contains("Held", "GuardOverruled");

    want("web", "item");
    settle();
    want("web", "");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Held");
  }

  @Test
  void aDriftedFileIsRestoredAndReported() {
    want("web", "item");
    settle();

    change("web", "by hand");

    assertThat(templates.disk).containsEntry("web", "item");
    var drift = status("web").drift().orElseThrow();
    assertThat(drift.repaired()).isTrue();
    assertThat(drift.files().get(0).patch()).hasValue("+by hand");
    assertThat(condition("web", "AsWritten")).isEqualTo("TRUE AsWritten");
    assertThat(reasons()).contains("Drifted", "Repaired");
    assertThat(watched).contains("/web");
  }

  @Test
  void aRoleThatOnlyReportsDriftKeepsTheChange() {
    templates.reporting.add("web");
    want("web", "item");
    settle();

    change("web", "by hand");

    assertThat(templates.disk).containsEntry("web", "by hand");
    assertThat(condition("web", "AsWritten")).isEqualTo("FALSE Drifted");
    assertThat(status("web").drift().orElseThrow().repaired()).isFalse();
    change("web", "item");
    assertThat(condition("web", "AsWritten")).isEqualTo("TRUE AsWritten");
    assertThat(status("web").drift()).isEmpty();
  }

  @Test
  void writesOfTheAgentAreNotDrift() {
    want("web", "item");
    settle();
    long revision = store.revision();
    for (int i = 0; i < 5; i++) {
      changed.accept(name("web"));
      settle();
    }
    assertThat(store.revision()).isEqualTo(revision);
    assertThat(templates.written).containsExactly("web=item");
  }

  @Test
  void repairsOfAFileThatKeepsChangingBackOff() {
    want("web", "item");
    settle();
    for (int i = 0; i < 600; i++) {
      templates.disk.put("web", "by hand " + i);
      changed.accept(name("web"));
      world.runFor(Duration.ofSeconds(1));
    }
    assertThat(templates.written.size()).isBetween(6, 13);
    world.runFor(Duration.ofMinutes(6));
    assertThat(templates.disk).containsEntry("web", "item");
  }

  @Test
  void aRoleWaitsForTheRoleItNeeds() {
    templates.needs.put("web", List.of("db"));
    want("web", "item");
    want("db", "item");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Waiting");
    assertThat(templates.disk).containsOnlyKeys("db");

    run("db");

    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");
    assertThat(templates.written).containsExactly("db=item", "web=item");
  }

  @Test
  void outputsOfOtherNodesAreNotRead() {
    for (int i = 0; i < 100; i++) {
      var spec = new Spec("web", "other" + i, "t", Map.of("text", "item"));
      var name = RoleInstance.name("web", "other" + i);
      world.await(store.put(Resource.of(TemplateOutput.KIND, name, spec)));
    }
    want("db", "item");
    want("web", "item");
    settle();
    run("db");
    counting.reset();

    want("web", "item 2");
    settle();
    assertThat(templates.disk).containsEntry("web", "item 2");
    assertThat(counting.listed(TemplateOutput.KIND)).as("it needs no other role").isZero();

    needs("web", List.of("db"));
    want("web", "item 3");
    settle();
    assertThat(templates.disk).containsEntry("web", "item 3");
    reconciler.renderAll();
    settle();
    assertThat(counting.listed(TemplateOutput.KIND)).isBetween(1L, 20L);
  }

  @Test
  void rolesThatNeedEachOtherAreRefusedWithThePath() {
    templates.needs.put("web", List.of("db"));
    templates.needs.put("db", List.of("web"));
    want("web", "item");
    want("db", "item");
    world.runFor(Duration.ofMinutes(2));
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE NeedsCycle");
    assertThat(condition("db", "Rendered")).isEqualTo("FALSE NeedsCycle");
    assertThat(status("web").conditions().get(0).message()).contains("web -> db -> web");

    needs("db", List.of());
    run("db");
    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");
  }

  /** Changes the needs in the recipe of a role. */
  private void needs(String role, List<String> others) {
    templates.needs.put(role, others);
    reconciler.templatesChanged(Set.of());
    settle();
  }

  @Test
  void aCycleIsReportedForEachRoleInItUntilItIsResolved() {
    for (var role : List.of("a", "web", "db", "c")) {
      want(role, "item");
    }
    settle();
    needs("web", List.of("db"));
    needs("db", List.of("c"));
    needs("a", List.of("web"));
    for (var role : List.of("a", "web", "db", "c")) {
      assertThat(condition(role, "Rendered")).isEqualTo("TRUE InPlace");
    }

    needs("c", List.of("web"));

    assertThat(condition("a", "Rendered")).isEqualTo("TRUE InPlace");
    var paths =
        Map.of(
            "web", "web -> db -> c -> web",
            "db", "db -> c -> web -> db",
            "c", "c -> web -> db -> c");
    paths.forEach(
        (role, path) -> {
          assertThat(condition(role, "Rendered")).isEqualTo("FALSE NeedsCycle");
          assertThat(status(role).conditions().toString()).contains(path);
        });
    assertThat(reasons()).contains("NeedsCycle");
    change("db", "by hand");
    assertThat(templates.disk).containsEntry("db", "item");

    needs("db", List.of());

    for (var role : List.of("a", "web", "db", "c")) {
      assertThat(condition(role, "Rendered")).isEqualTo("TRUE InPlace");
    }
    assertThat(templates.written).hasSize(5);
  }

  @Test
  void aCycleOfNewRolesIsReportedAtOnce() {
    templates.needs.put("web", List.of("db"));
    templates.needs.put("db", List.of("web"));
    want("web", "item");
    want("db", "item");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE NeedsCycle");
    assertThat(condition("db", "Rendered")).isEqualTo("FALSE NeedsCycle");
  }

  @Test
  void removingARoleResolvesItsCycle() {
    want("web", "item");
    want("db", "item");
    settle();
    needs("web", List.of("db"));
    needs("db", List.of("web"));
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE NeedsCycle");

    world.await(store.remove(output("db")));
    settle();

    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");
  }

  @Test
  void aRoleIsNotRenderedAgainBecauseOfItsOwnNeeds() {
    templates.needs.put("web", List.of("db"));
    templates.needs.put("b", List.of("db"));
    want("db", "item");
    settle();
    run("db");
    want("web", "item");
    want("b", "item");
    settle();
    assertThat(templates.rendered).containsExactlyInAnyOrder("db", "web", "b");
  }

  @Test
  void rolesThatNeverEndDoNotDelayOthers() {
    sticking.left = 5;
    for (int i = 0; i < 25; i++) {
      want("web" + i, "item");
    }
    settle();
    assertThat(templates.disk).hasSize(20);
  }

  @Test
  void aFailingRoleDoesNotDelayOthersAndIsRetried() {
    templates.failing.add("bad");
    want("bad", "item");
    for (int i = 0; i < 20; i++) {
      want("web" + i, "item");
    }
    settle();
    assertThat(templates.disk).hasSize(20);
    assertThat(condition("bad", "Rendered")).isEqualTo("FALSE MachineFailed");

    templates.failing.clear();
    world.runFor(Duration.ofSeconds(31));
    assertThat(condition("bad", "Rendered")).isEqualTo("TRUE InPlace");
  }

  @Test
  void aFailureIsNotRetriedAtOnce() {
    templates.failing.add("bad");
    want("bad", "item");
    world.runFor(Duration.ofSeconds(20));
    assertThat(templates.failures).isEqualTo(1);
    want("bad", "item 2");
    settle();
    assertThat(templates.failures).isEqualTo(2);
  }

  @Test
  void anOutputOfAnotherNodeIsNotTouched() {
    world.await(
        store.put(
            Resource.of(
                TemplateOutput.KIND, "web@n2", new Spec("web", "n2", "t", Map.of("text", "a")))));
    settle();
    var other = store.get(TemplateOutput.KIND, "web@n2").orElseThrow();
    assertThat(other.meta().finalizers()).isEmpty();
    assertThat(other.status()).isEmpty();
    assertThat(templates.rendered).isEmpty();
    assertThat(reconciler.concerns(other)).isFalse();
  }

  @Test
  void aDeletedOutputVanishesWithItsFiles() {
    want("web", "a");
    settle();
    assertThat(reconciler.concerns(output("web"))).isTrue();
    world.await(store.remove(output("web")));
    settle();
    assertThat(templates.removed).containsExactly("web@n1 [/web]");
    assertThat(store.get(TemplateOutput.KIND, name("web"))).isEmpty();
  }

  @Test
  void everyRoleIsAppliedAnewOnRequest() {
    want("web", "a");
    want("api", "b");
    settle();
    templates.rendered.clear();
    sticking.execute(reconciler::renderAll);
    settle();
    assertThat(templates.rendered).containsExactlyInAnyOrder("web", "api");
    assertThat(templates.compared).containsEntry("web", "").containsEntry("api", "");

    sticking.execute(() -> reconciler.templatesChanged(Set.of()));
    settle();
    assertThat(templates.compared).containsEntry("web", status("web").input());
  }

  @Test
  void rendersNoTemplateWhoseFilesAreChanging() {
    want("web", "a");
    want("api", "b");
    settle();
    var web = output("web");
    var spec = new Spec("web", "n1", "shop/v1", web.spec().variables());
    world.await(store.put(web.withSpec(spec)));
    settle();
    templates.rendered.clear();
    sticking.execute(() -> reconciler.templatesChanged(Set.of("shop")));
    settle();
    assertThat(templates.rendered).containsExactly("api");
    sticking.execute(() -> reconciler.templatesChanged(Set.of("t")));
    settle();
    assertThat(templates.rendered).containsExactly("api", "web");
  }

  @Test
  void aReconcilerThatWasStoppedRendersNothing() {
    var controllers = new RunningControllers();
    var loop = world.loop("second");
    var second =
        new TemplateReconciler(
            counting,
            loop,
            templates,
            FileWatch.NONE,
            new Events(store, world.loop("events"), "n1"),
            "n2",
            "0",
            () -> Future.succeededFuture("d" + ++deployments));
    controllers.start(loop, second.controller());
    settle();
    var stopped = controllers.stop();
    settle();
    assertThat(stopped.succeeded()).isTrue();
    world.await(
        store.put(
            Resource.of(
                TemplateOutput.KIND, "web@n2", new Spec("web", "n2", "t", Map.of("text", "a")))));
    settle();
    assertThat(templates.rendered).isEmpty();
  }

  @Test
  void filesAreCheckedOnceAfterTheirWatchStarts() {
    want("web", "item");
    settle();
    assertThat(templates.checks).isEqualTo(1);
    sticking.execute(() -> reconciler.templatesChanged(Set.of()));
    settle();
    assertThat(templates.checks).isEqualTo(1);

    owners.clear();
    sticking.execute(() -> reconciler.templatesChanged(Set.of()));
    settle();
    assertThat(templates.checks).isEqualTo(2);
    annotate("web", "note", "changed");
    assertThat(templates.checks).isEqualTo(2);
  }

  @Test
  void aCheckThatBreaksIsRepeated() {
    want("web", "item");
    settle();
    templates.broken = true;
    change("web", "by hand");
    assertThat(templates.disk).containsEntry("web", "by hand");

    templates.broken = false;
    world.runFor(Duration.ofMinutes(2));
    assertThat(templates.disk).containsEntry("web", "item");
  }

  @Test
  void templatesSeeTheScheduleAndTheirDeployment() {
    schedule("one");
    want("web", "item");
    settle();
    assertThat(templates.variables.get("web"))
        .containsEntry("role", "web")
        .containsEntry("text", "item")
        .containsEntry("deployment_id", "d1")
        .containsEntry("verwalter_version", "v0")
        .containsEntry(Rendered.SCHEDULE, Map.of("log", "one"));
  }

  @Test
  void aRoleWaitsForTheNewestFilesOfTheRoleItNeeds() {
    templates.needs.put("web", List.of("db"));
    want("db", "item");
    settle();
    run("db");
    templates.failing.add("db");
    want("db", "item 2");
    settle();
    run("db");
    want("web", "item");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Waiting");

    templates.failing.clear();
    instance("db", "item 3");
    run("db");
    assertThat(templates.disk).containsOnly(Map.entry("db", "item"));
    output("db", "item 3");
    settle();
    assertThat(templates.disk).containsEntry("db", "item 3").containsEntry("web", "item");
  }

  @Test
  void aRoleIsRenderedWhenTheProcessesItWaitsForRun() {
    templates.needs.put("web", List.of("db"));
    templates.processes.put("db", List.of(new TemplateOutput.ProcessFile("db", Map.of())));
    want("db", "item");
    settle();
    run("db");
    var group =
        Resource.of(ProcessGroup.KIND, "db@n1", new ProcessGroup.Spec("db", "n1", "db", Map.of()));
    world.await(store.put(group));
    want("web", "item");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Waiting");

    var present = store.get(ProcessGroup.KIND, "db@n1").orElseThrow();
    world.await(
        store.putStatus(
            present.withStatus(new ProcessGroup.Status(1, 0, 0, List.of(), List.of()))));
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");
  }

  @Test
  void aRoleWaitsWhileTheRoleItNeedsIsAppliedAgain() {
    templates.needs.put("web", List.of("db"));
    want("db", "item");
    settle();
    run("db");
    want("web", "item");
    settle();
    assertThat(condition("web", "Rendered")).isEqualTo("TRUE InPlace");

    sticking.left = 1; // the rendering of db
    sticking.execute(() -> reconciler.templatesChanged(Set.of()));
    settle();
    want("web", "item 2");
    settle();

    assertThat(condition("web", "Rendered")).isEqualTo("FALSE Waiting");
    assertThat(templates.disk).containsEntry("web", "item");
  }
}
