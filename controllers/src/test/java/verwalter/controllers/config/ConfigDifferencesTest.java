package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ConfigHashes;
import verwalter.model.Configuration;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.stores.engine.MemoryStore;

class ConfigDifferencesTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Loop loop = world.loop("config");
  private final RunningControllers controllers = new RunningControllers();

  @BeforeEach
  void start() {
    world.await(
        store.put(
            Resource.of(Configuration.KIND, Configuration.CURRENT, Configuration.Spec.NONE)
                .withStatus(
                    new Configuration.Status(
                        1,
                        "n1",
                        hashes("s", "t").settings(),
                        hashes("s", "t").parts(),
                        "s",
                        1,
                        List.of()))));
    world.await(
        store.put(
            Resource.of(
                    RoleConfig.KIND,
                    "web",
                    new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty()))
                .withStatus(new RoleConfig.Status(1, List.of(), List.of()))));
    node("n1", "s", "t");
    node("n2", "s", "t");
    world.await(
        store.put(
            Resource.of(
                NodeSchedule.KIND,
                "n2",
                new NodeSchedule.Spec("x", Map.of("web", Map.of("template", "site/v1"))))));
    controllers.start(loop, new ConfigDifferences(store, loop, "n1").controller());
    settle();
  }

  private static ConfigHashes hashes(String scheduler, String templates) {
    return ConfigHashes.of(Map.of("scheduler", scheduler, "templates/site", templates));
  }

  private void node(String name, String scheduler, String templates) {
    var status =
        new Node.Status(
            1,
            List.of(),
            Map.of(),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            Optional.empty(),
            conditions(name),
            Optional.of(hashes(scheduler, templates)));
    var present = store.get(Node.KIND, name);
    world.await(
        present.isPresent()
            ? store.putStatus(present.get().withStatus(status))
            : store.put(Resource.of(Node.KIND, name, new Node.Spec(false)).withStatus(status)));
  }

  private List<Condition> conditions(String node) {
    return store
        .get(Node.KIND, node)
        .flatMap(Resource::status)
        .map(Node.Status::conditions)
        .orElse(List.of());
  }

  private Optional<Condition> role() {
    return Condition.find(
        store.get(RoleConfig.KIND, "web").orElseThrow().status().orElseThrow().conditions(),
        ConditionType.TEMPLATES_EQUAL);
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(5));
  }

  @Test
  void equalDirectoriesHaveNoCondition() {
    assertThat(conditions("n1")).isEmpty();
    assertThat(conditions("n2")).isEmpty();
    assertThat(role()).isEmpty();
  }

  @Test
  void namesTheNodeWithOtherSettingsUntilTheyAreEqual() {
    node("n2", "other", "t");
    settle();
    assertThat(conditions("n2"))
        .singleElement()
        .satisfies(it -> assertThat(it.isFalse()).isTrue())
        .satisfies(
            it ->
                assertThat(it.message())
                    .contains("the settings in force, which were read from n1: scheduler"));
    assertThat(role()).isEmpty();

    node("n2", "s", "t");
    settle();
    assertThat(conditions("n2")).singleElement().satisfies(it -> assertThat(it.isTrue()).isTrue());
  }

  @Test
  void namesTheRoleWhoseTemplatesDiffer() {
    node("n2", "s", "other");
    settle();

    assertThat(role().orElseThrow().isFalse()).isTrue();
    assertThat(role().orElseThrow().message()).contains("the leader n1 on n2");
    assertThat(conditions("n2"))
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("from the leader n1: templates/site"));

    node("n2", "s", "t");
    settle();
    assertThat(role().orElseThrow().isTrue()).isTrue();
  }
}
