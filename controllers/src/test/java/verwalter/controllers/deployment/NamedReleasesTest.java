package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.controllers.deployment.ReleaseSite.D1;
import static verwalter.controllers.deployment.ReleaseSite.D2;
import static verwalter.controllers.deployment.ReleaseSite.NODE;
import static verwalter.controllers.deployment.ReleaseSite.spec;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.deployment.ReleaseFiles.Contents;
import verwalter.controllers.deployment.ReleaseFiles.Named;
import verwalter.model.DeploymentRef;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.engine.MemoryStore;

/** Which files are named, and when that is not known. */
class NamedReleasesTest {
  private static final String KEY = "web@1@main@g1.l0";
  private static final String OLD = "web@0@main@g1.l0";
  private static final String PLACE = "/srv/\"a\\b\"/";
  private static final Contents DISK =
      new Contents(Map.of(KEY, path(KEY), OLD, path(OLD)), Set.of(D1, D2));

  private final VirtualWorld world = new VirtualWorld(5);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());

  private static String path(String key) {
    return PLACE + key + "/files";
  }

  @BeforeEach
  void schedule() {
    put(Resource.of(NodeSchedule.KIND, NODE, new NodeSchedule.Spec("schedule", Map.of())));
  }

  private <S, T> Resource<S, T> put(Resource<S, T> object) {
    return world.await(store.put(object));
  }

  private void ref(Optional<String> digest, Optional<String> resolved, long observed) {
    var spec = spec("web", "1", "https://files/web.tar", digest);
    var status =
        new DeploymentRef.Status(
            observed,
            DeploymentRef.State.INITIAL,
            resolved,
            0,
            Optional.empty(),
            Optional.empty(),
            DeploymentRef.Attempts.NONE,
            Optional.empty(),
            "",
            List.of());
    put(Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec).withStatus(status));
  }

  private void instance(long observed) {
    var spec = new RoleInstance.Spec("web", NODE, "web/v1", Optional.empty(), Map.of());
    var status =
        new RoleInstance.Status(
            observed, RoleInstance.State.RUNNING, 1, 1, 0, world.now(), "", List.of());
    put(Resource.of(RoleInstance.KIND, "web@" + NODE, spec).withStatus(status));
  }

  private void output(String node, Object value) {
    var spec = new TemplateOutput.Spec("web", node, "web/v1", Map.of("a", List.of(value)));
    put(Resource.of(TemplateOutput.KIND, "web@" + node, spec));
  }

  private Optional<Named> named() {
    return NamedReleases.of(store, NODE).of(DISK);
  }

  @Test
  void refsNameTheirReleaseAndBothDigests() {
    ref(Optional.of(D1), Optional.of(D2), 1);
    assertThat(named()).contains(new Named(Set.of(KEY), Set.of(D1, D2)));
  }

  @Test
  void withoutRefsNothingIsNamed() {
    assertThat(named()).contains(new Named(Set.of(), Set.of()));
  }

  @Test
  void withoutAShareOfTheScheduleNothingIsKnown() {
    world.await(store.remove(store.get(NodeSchedule.KIND, NODE).orElseThrow()));
    assertThat(named()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void aRefThatWasNotLookedAtIsWaitedFor(long observed, boolean isKnown) {
    ref(Optional.of(D1), Optional.empty(), observed);
    assertThat(named().isPresent()).isEqualTo(isKnown);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void anInstanceThatWasNotLookedAtIsWaitedFor(long observed, boolean isKnown) {
    instance(observed);
    assertThat(named().isPresent()).isEqualTo(isKnown);
  }

  @ParameterizedTest
  @CsvSource({
    "n1, /bin/web, true",
    "n1, '', true",
    "n1, /../x, true",
    "n2, /bin/web, false",
  })
  void aPathInATextNamesItsRelease(String node, String below, boolean isNamed) {
    output(node, "exec " + path(OLD) + below);
    assertThat(named().orElseThrow().keys()).isEqualTo(isNamed ? Set.of(OLD) : Set.of());
  }

  @Test
  void theNameOfAnotherReleaseDoesNotNameIt() {
    output(NODE, PLACE + "web@00@main@g1.l0/files");
    assertThat(named().orElseThrow().keys()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"n1, true", "n2, false"})
  void aGroupThatTheSupervisorHasNotReceivedMayUseEveryRelease(String node, boolean areNamed) {
    var spec = new ProcessGroup.Spec("web", node, "web", Map.of());
    put(Resource.of(ProcessGroup.KIND, ProcessGroup.name("web", node), spec));
    assertThat(named().orElseThrow().keys()).isEqualTo(areNamed ? Set.of(KEY, OLD) : Set.of());
  }
}
