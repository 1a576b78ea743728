package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Rollout;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceSource;
import verwalter.stores.api.Change;
import verwalter.stores.engine.MemoryStore;

/** The shell around the reading of files, over a store. */
class ConfigReconcilerTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Loop loop = world.loop("config");
  private final Map<String, Object> roles = new TreeMap<>();
  private final Map<String, List<String>> problems = new TreeMap<>();
  private final Map<String, ServiceSource> services = new TreeMap<>();
  private final Set<String> files = new TreeSet<>();
  private final Map<String, String> unknown = new TreeMap<>();
  private final RunningControllers controllers = new RunningControllers();
  private final List<String> first = new ArrayList<>();
  private Optional<String> failure = Optional.empty();
  private int readings;
  private final ConfigReconciler reconciler =
      new ConfigReconciler(store, loop, this::read, new Events(store, world.loop("events"), "n1"));

  private RuntimeReading read() throws IOException {
    readings++;
    if (failure.isPresent()) {
      var cause = new IOException(failure.get());
      throw unknown.isEmpty() ? cause : new UnreadableConfig(unknown, cause);
    }
    return new RuntimeReading(roles, problems, services, files, unknown);
  }

  @BeforeEach
  void start() {
    roles.put("web", Map.of("v1", Map.of("port", 80L)));
  }

  private void begin() {
    reconciler.afterFirstReading(() -> first.add("read"));
    controllers.start(loop, reconciler.controller());
    settle();
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(3));
  }

  private void changed(String... changing) {
    loop.execute(() -> reconciler.changed(Set.of(changing)));
    settle();
  }

  private Resource<RoleConfig.Spec, RoleConfig.Status> role(String name) {
    return store.get(RoleConfig.KIND, name).orElseThrow();
  }

  private RoleConfig.Status status(String name) {
    return role(name).status().orElseThrow();
  }

  private Condition valid(String name) {
    return Condition.find(status(name).conditions(), ConditionType.CONFIG_VALID).orElseThrow();
  }

  private List<String> names() {
    return store.list(RoleConfig.KIND).stream().map(Resource::name).toList();
  }

  private List<Event.Spec> events() {
    return store.list(Event.KIND).stream().map(Resource::spec).toList();
  }

  private void service(String program) throws DecodeException {
    services.put(
        "shop",
        new ServiceSource(
            ServiceFile.read("processes: {web: {command: [%s]}}".formatted(program), "")));
  }

  /** The newest rollout of the service, from one revision to another. */
  private void rollout(long number, String from, String to) {
    var spec =
        new Rollout.Spec(
            "shop", number, Optional.of(from), to, "scheduler", world.clock().instant());
    world.await(store.put(Resource.of(Rollout.KIND, Rollout.name("shop", number), spec)));
  }

  @Test
  void theRevisionsOfTheNewestRolloutAreKept() throws DecodeException {
    service("p1");
    begin();
    service("p2");
    changed();
    rollout(9, "v2", "v2");
    rollout(10, "v1", "v3");
    for (int i = 3; i < 30; i++) {
      service("p" + i);
      changed();
    }
    assertThat(status("shop").versions()).hasSize(20).contains("v1", "v3", "v29");
    assertThat(status("shop").versions()).doesNotContain("v2");
  }

  @Test
  void eachContentOfAServiceIsARevision() throws DecodeException {
    service("a");
    begin();
    assertThat(status("shop").versions()).containsExactly("v1");
    assertThat(RoleConfig.file(role("shop"))).contains("roles/shop.yaml");
    var before = role("shop");
    service("a");
    changed();
    assertThat(role("shop")).isEqualTo(before);
    service("b");
    changed();
    assertThat(status("shop").versions()).containsExactly("v1", "v2");
    services.clear();
    problems.put("shop", List.of("roles/shop.yaml:1:1: broken"));
    changed();
    assertThat(role("shop").spec().versions()).hasSize(2);
    assertThat(valid("shop").message()).contains("roles/shop.yaml:1:1: broken");
    assertThat(RoleConfig.file(role("shop"))).contains("roles/shop.yaml");
    problems.clear();
    changed();
    assertThat(names()).containsExactly("web");
  }

  @Test
  void aServiceThatCouldNeverBeReadEndsWithItsFile() {
    unknown.put("runtime", "runtime does not exist");
    problems.put("shop", List.of("roles/shop.yaml:1:1: broken"));
    files.add("shop");
    begin();
    assertThat(RoleConfig.file(role("shop"))).contains("roles/shop.yaml");
    assertThat(valid("shop").message()).isEqualTo("roles/shop.yaml:1:1: broken");
    problems.clear();
    files.clear();
    changed();
    assertThat(names()).containsExactly("web");
  }

  @Test
  void servicesStayWhileTheirDirectoryIsUnknown() throws DecodeException {
    service("a");
    begin();
    services.clear();
    unknown.put("roles", "roles does not exist");
    changed();
    assertThat(names()).containsExactly("shop", "web");
    assertThat(valid("shop").status()).isEqualTo(Condition.Truth.UNKNOWN);
    assertThat(valid("shop").message()).contains("roles does not exist");
    assertThat(valid("web").isTrue()).isTrue();
    unknown.clear();
    service("a");
    changed();
    assertThat(valid("shop").isTrue()).isTrue();
  }

  @Test
  void eachRoleNamesTheDirectoryThatItIsReadFrom() throws DecodeException {
    service("a");
    begin();
    unknown.put("roles", "roles does not exist");
    unknown.put("runtime", "runtime does not exist");
    failure = Optional.of("runtime does not exist");
    changed();
    assertThat(valid("shop").message()).startsWith("roles does not exist (");
    assertThat(valid("web").message()).startsWith("runtime does not exist (");
  }

  @Test
  void aRoleOfTheFilesIsMade() {
    roles.put("web", Map.of("v10", Map.of(), "v9", Map.of()));
    begin();
    assertThat(role("web").spec()).isEqualTo(RoleConfig.Spec.of(roles.get("web")));
    assertThat(role("web").meta().labels()).isEqualTo(ConfigReconciler.FROM_FILES);
    assertThat(status("web").observedGeneration()).isEqualTo(1);
    assertThat(status("web").versions()).containsExactly("v9", "v10");
    assertThat(valid("web").isTrue()).isTrue();
    assertThat(events()).isEmpty();
  }

  @Test
  void labelsAndAnnotationsOfOperatorsStay() {
    begin();
    var web = role("web");
    var labels = new TreeMap<>(web.meta().labels());
    labels.put("team", "shop");
    var meta = web.meta().withLabels(labels).withAnnotations(Map.of("note", "kept"));
    world.await(store.put(web.withMeta(meta)));

    changed();
    roles.put("web", Map.of("v2", Map.of()));
    changed();
    assertThat(role("web").meta().labels()).isEqualTo(labels);
    assertThat(role("web").meta().annotations()).isEqualTo(Map.of("note", "kept"));
    assertThat(status("web").versions()).containsExactly("v2");
  }

  @Test
  void aRoleChangesWithItsFiles() {
    begin();
    roles.put("web", Map.of("v2", Map.of()));
    assertThat(status("web").versions()).containsExactly("v1");
    changed();
    assertThat(role("web").spec()).isEqualTo(RoleConfig.Spec.of(roles.get("web")));
    assertThat(status("web").versions()).containsExactly("v2");
    assertThat(status("web").observedGeneration()).isEqualTo(2);
    assertThat(role("web").meta().generation()).isEqualTo(2);
    assertThat(valid("web").observedGeneration()).isEqualTo(2);
  }

  @Test
  void nothingIsWrittenWhileTheFilesSayTheSame() {
    begin();
    long revision = store.revision();
    changed();
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void aRoleWhoseFilesAreGoneIsRemoved() {
    begin();
    roles.remove("web");
    changed();
    assertThat(names()).isEmpty();
  }

  @Test
  void keepsConfigurationOfRoleWhoseFilesAreChanging() {
    roles.put("db", Map.of("v1", Map.of()));
    roles.put("gone", Map.of("v1", Map.of()));
    begin();
    roles.put("web", Map.of("v2", Map.of()));
    roles.put("db", Map.of("v2", Map.of()));
    roles.put("new", Map.of("v2", Map.of()));
    roles.remove("gone");
    changed("db", "new", "gone");
    assertThat(names()).containsExactly("db", "gone", "web");
    assertThat(status("web").versions()).containsExactly("v2");
    assertThat(status("db").versions()).containsExactly("v1");
    changed();
    assertThat(names()).containsExactly("db", "new", "web");
    assertThat(status("db").versions()).containsExactly("v2");
  }

  @Test
  void aRoleThatIsBeingRemovedIsNotRemovedAgain() {
    begin();
    world.await(store.put(role("web").withMeta(role("web").meta().adding("someone/else"))));
    settle();
    roles.remove("web");
    changed();
    assertThat(role("web").meta().deleting()).isTrue();
    long revision = store.revision();
    changed();
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void aRoleThatCameFromElsewhereIsKept() {
    world.await(
        store.put(
            Resource.of(RoleConfig.KIND, "mine", RoleConfig.Spec.of(Map.of("v1", Map.of())))));
    begin();
    assertThat(names()).containsExactly("mine", "web");
    roles.clear();
    changed();
    assertThat(names()).containsExactly("mine");
  }

  private void apply(String name, String version) {
    var present = store.get(RoleConfig.KIND, name);
    var spec = RoleConfig.Spec.of(Map.of(version, Map.of()));
    world.await(
        store.put(
            present
                .map(it -> it.withSpec(spec))
                .orElseGet(() -> Resource.of(RoleConfig.KIND, name, spec))));
    settle();
  }

  @Test
  void aRoleThatAnOperatorAppliedHasAStatus() {
    begin();
    apply("mine", "v1");
    assertThat(status("mine")).isEqualTo(new RoleConfig.Status(1, List.of("v1"), List.of()));
    assertThat(role("mine").meta().labels()).isEmpty();

    apply("mine", "v2");
    assertThat(status("mine")).isEqualTo(new RoleConfig.Status(2, List.of("v2"), List.of()));

    long revision = store.revision();
    changed();
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void aRoleThatAnOperatorAppliedDoesNotDependOnTheDirectory() {
    failure = Optional.of("runtime: permission denied");
    begin();
    apply("mine", "v1");
    assertThat(status("mine")).isEqualTo(new RoleConfig.Status(1, List.of("v1"), List.of()));
  }

  @Test
  void aConditionThatOthersWriteCausesNoReadingOfTheFiles() {
    begin();
    settle();
    int before = readings;
    var healthy = Condition.ofTrue(ConditionType.HEALTHY, Reason.NO_ERRORS, "", 1, world.now());
    var next = status("web").withConditions(Condition.put(status("web").conditions(), healthy));
    world.await(store.putStatus(role("web").withStatus(next)));
    settle();
    assertThat(readings).isEqualTo(before);
    assertThat(status("web")).isEqualTo(next);
  }

  @Test
  void aRoleThatSomebodyRemovedOrChangedIsWrittenAgain() {
    begin();
    world.await(store.remove(role("web")));
    settle();
    assertThat(names()).containsExactly("web");

    world.await(store.put(role("web").withSpec(RoleConfig.Spec.of(Map.of("v7", Map.of())))));
    settle();
    assertThat(role("web").spec()).isEqualTo(RoleConfig.Spec.of(roles.get("web")));
  }

  @Test
  void aRoleThatCannotBeReadKeepsItsConfiguration() {
    begin();
    var before = role("web").spec();
    roles.remove("web");
    problems.put("web", List.of("web/v1.yaml:3: no", "web/v2.yaml:1: no"));
    changed();
    assertThat(role("web").spec()).isEqualTo(before);
    assertThat(role("web").meta().generation()).isEqualTo(1);
    assertThat(valid("web").isFalse()).isTrue();
    assertThat(valid("web").observedGeneration()).isEqualTo(1);
    assertThat(valid("web").message()).startsWith("web/v1.yaml:3: no; web/v2.yaml:1: no (");
    assertThat(status("web").versions()).containsExactly("v1");
    assertThat(events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.regarding()).isEqualTo(RoleConfig.KIND.key("web"));
              assertThat(event.type()).isEqualTo(Event.Type.WARNING);
              assertThat(event.reason()).isEqualTo(Reason.CONFIG_UNREADABLE.title());
              assertThat(event.message()).isEqualTo("web/v1.yaml:3: no; web/v2.yaml:1: no");
              assertThat(event.count()).isEqualTo(1);
            });
    changed();
    assertThat(events()).allMatch(event -> event.count() == 1);

    problems.clear();
    roles.put("web", Map.of("v1", Map.of("port", 80L)));
    changed();
    assertThat(valid("web").isTrue()).isTrue();
  }

  @Test
  void aRoleWithProblemsIgnoresWhatCouldBeRead() {
    begin();
    var before = role("web").spec();
    roles.put("web", Map.of("v2", Map.of()));
    problems.put("web", List.of("no"));
    changed();
    assertThat(role("web").spec()).isEqualTo(before);
  }

  @Test
  void aNewRoleThatCannotBeReadIsMadeEmpty() {
    problems.put("bad", List.of("bad.yaml:1: no"));
    begin();
    assertThat(role("bad").spec().versions()).isEmpty();
    assertThat(valid("bad").isFalse()).isTrue();
    assertThat(events()).hasSize(1);
  }

  @Test
  void aNameThatNoObjectCanHaveIsAProblemOfARoleWithASimilarName() {
    roles.put("bad name", Map.of("v1", Map.of()));
    begin();
    assertThat(names()).containsExactly("bad-name@49a734d3", "web");
    assertThat(role("bad-name@49a734d3").spec().versions()).isEmpty();
    assertThat(valid("bad-name@49a734d3").isFalse()).isTrue();
    assertThat(valid("bad-name@49a734d3").message())
        .startsWith("runtime/bad name: a role's name has 1 to 253 letters")
        .endsWith("; rename it");
    roles.remove("bad name");
    changed();
    assertThat(names()).containsExactly("web");
  }

  @Test
  void aFileOfRolesWithABadNameIsAProblemUntilItIsRenamed() {
    problems.put("Bad Name", List.of("roles/Bad Name.yaml: the name of a service has"));
    files.add("Bad Name");
    begin();
    var name = names().get(0);
    assertThat(name).startsWith("Bad-Name@");
    assertThat(RoleConfig.file(role(name))).contains("roles/" + name + ".yaml");
    assertThat(valid(name).message()).isEqualTo("roles/Bad Name.yaml: the name of a service has");
    problems.clear();
    files.clear();
    changed();
    assertThat(names()).containsExactly("web");
  }

  @Test
  void aDirectoryThatCannotBeReadChangesNothingAndIsReadAgain() {
    begin();
    failure = Optional.of("runtime: permission denied");
    roles.clear();
    changed();
    assertThat(names()).containsExactly("web");
    var condition = role("web").status().orElseThrow().conditions().get(0);
    assertThat(condition.status()).isEqualTo(Condition.Truth.UNKNOWN);
    assertThat(condition.hasReason(Reason.DIRECTORY_UNKNOWN)).isTrue();
    assertThat(condition.message())
        .isEqualTo("runtime: permission denied (the previous configuration stays in force)");
    failure = Optional.empty();
    world.runFor(Duration.ofMinutes(1));
    assertThat(names()).isEmpty();
  }

  @Test
  void whatFollowsTheFirstReadingRunsOnceAlsoIfItFails() {
    failure = Optional.of("runtime: permission denied");
    begin();
    assertThat(first).containsExactly("read");
    failure = Optional.empty();
    world.runFor(Duration.ofMinutes(1));
    changed();
    assertThat(first).containsExactly("read");
    assertThat(names()).containsExactly("web");
  }

  @Test
  void aStoppedReconcilerReadsNothing() {
    begin();
    var stopped = controllers.stop();
    settle();
    assertThat(stopped.succeeded()).isTrue();
    roles.clear();
    changed();
    assertThat(names()).containsExactly("web");
  }

  @Test
  void everyStateOfARoleHasTheStatusOfItsOwnGeneration() {
    var seen = new ArrayList<Resource<RoleConfig.Spec, RoleConfig.Status>>();
    store.watch(
        RoleConfig.KIND,
        loop,
        change -> {
          if (change instanceof Change.Put<RoleConfig.Spec, RoleConfig.Status> put) {
            seen.add(put.resource());
          }
        });
    begin();
    roles.put("web", Map.of("v2", Map.of()));
    changed();
    assertThat(seen)
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(
            role ->
                assertThat(role.status().orElseThrow().observedGeneration())
                    .isEqualTo(role.meta().generation()));
  }
}
