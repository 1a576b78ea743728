package verwalter.controllers.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceReleases;
import verwalter.stores.api.Write;

/** Tests the releases of a service, of which several versions run side by side. */
class ServiceRefsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  /** A service with the image of each of these versions. */
  private static RoleInstance.Spec spec(String... images) {
    var all = new TreeMap<String, Object>();
    for (int i = 0; i < images.length; i++) {
      all.put("v" + (i + 1), Map.of("source", images[i]));
    }
    return new RoleInstance.Spec(
        "shop", "n1", "", Optional.of("v1"), Map.of(ScheduledServices.IMAGES, all));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(RoleInstance.Spec spec) {
    return Resource.of(RoleInstance.KIND, "shop@n1", spec);
  }

  private static Resource<DeploymentRef.Spec, DeploymentRef.Status> ref(
      DeploymentRef.Spec spec, DeploymentRef.State state) {
    return Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec)
        .withStatus(
            new DeploymentRef.Status(
                0,
                state,
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.of("/releases/" + spec.version()),
                DeploymentRef.Attempts.NONE,
                Optional.empty(),
                "",
                List.of()));
  }

  private static DeploymentRef.Spec wanted(RoleInstance.Spec spec, String version) {
    return ReleaseRefs.ofService(spec).get(version);
  }

  private static Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output(
      Map<String, Object> variables) {
    var condition = Condition.ofTrue(ConditionType.RENDERED, Reason.IN_PLACE, "", 0, NOW);
    return Optional.of(
        Resource.of(
                TemplateOutput.KIND,
                "shop@n1",
                new TemplateOutput.Spec("shop", "n1", "", variables))
            .withStatus(
                TemplateOutput.Status.of(
                    0, Optional.empty(), "", List.of(), List.of(), List.of(condition))));
  }

  private static Children children(
      Optional<Resource<TemplateOutput.Spec, TemplateOutput.Status>> output,
      List<Resource<DeploymentRef.Spec, DeploymentRef.Status>> refs) {
    return new Children(output, List.of(), List.of(), new ReleaseRefs(refs));
  }

  private static List<String> keep(RoleInstance.Spec spec, Children children) {
    var writes = new ArrayList<String>();
    for (var write : InstancePlan.keep(instance(spec), children)) {
      writes.add((write instanceof Write.Remove ? "remove " : "put ") + write.resource().name());
    }
    return writes;
  }

  @Test
  void eachImageIsPreparedOnceAndNothingRunsBefore() {
    var spec = spec("/one", "/two", "/one");
    assertThat(keep(spec, children(Optional.empty(), List.of())))
        .containsExactly(
            "put " + DeploymentRef.name(wanted(spec, "v1")),
            "put " + DeploymentRef.name(wanted(spec, "v2")));
    assertThat(wanted(spec, "v3")).isEqualTo(wanted(spec, "v1"));
  }

  @Test
  void processesStayUntilTheNewImageIsCompleteAndThenHaveBoth() {
    var spec = spec("/one", "/two");
    var one = ref(wanted(spec, "v1"), DeploymentRef.State.CREATED);
    var two = ref(wanted(spec, "v2"), DeploymentRef.State.CREATING);
    var before = spec("/one");
    var place =
        new ServiceReleases.Place(
            DeploymentRef.key(one.spec()), "/releases/" + one.spec().version());
    var present = output(ServiceReleases.in(before.variables(), Map.of("v1", place)));

    var waiting = children(present, List.of(one, two));
    assertThat(InstancePlan.output(instance(spec), waiting)).isEqualTo(present.map(Resource::spec));
    assertThat(keep(spec, waiting)).isEmpty();
    var state = InstanceState.of(instance(spec), waiting);
    assertThat(state.state()).isEqualTo(RoleInstance.State.PREPARING);
    assertThat(state.reason()).isEqualTo("the image of v2: creating");

    var complete = children(present, List.of(one, ref(two.spec(), DeploymentRef.State.CREATED)));
    assertThat(keep(spec, complete)).containsExactly("put shop@n1");
    assertThat(
            ServiceReleases.of(
                InstancePlan.output(instance(spec), complete).orElseThrow().variables()))
        .containsOnlyKeys("v1", "v2")
        .containsEntry("v1", place);
  }

  @Test
  void aReleaseIsRemovedWhenNeitherTheSpecNorTheProcessesNeedIt() {
    var spec = spec("/two");
    var two = ref(wanted(spec, "v1"), DeploymentRef.State.CREATED);
    var one = ref(wanted(spec("/one"), "v1"), DeploymentRef.State.CREATED);
    var place =
        new ServiceReleases.Place(
            DeploymentRef.key(one.spec()), "/releases/" + one.spec().version());
    var old = output(ServiceReleases.in(spec("/one").variables(), Map.of("v1", place)));
    assertThat(keep(spec, children(old, List.of(one, two)))).containsExactly("put shop@n1");

    var next = InstancePlan.output(instance(spec), children(old, List.of(one, two))).orElseThrow();
    assertThat(keep(spec, children(output(next.variables()), List.of(one, two))))
        .containsExactly("remove " + one.name());
  }

  @Test
  void aReleaseThatVanishesForAMomentReplacesNothing() {
    var spec = spec("/one");
    var one = ref(wanted(spec, "v1"), DeploymentRef.State.CREATED);
    var next =
        InstancePlan.output(instance(spec), children(Optional.empty(), List.of(one))).orElseThrow();
    var gone =
        children(output(next.variables()), List.of(ref(one.spec(), DeploymentRef.State.CREATING)));
    assertThat(InstancePlan.output(instance(spec), gone)).contains(next);
  }

  @Test
  void aPurgeNeedsAnotherRelease() {
    var spec = spec("/one").withPurgeCounter(Optional.of(2L));
    assertThat(wanted(spec, "v1").localGeneration()).isEqualTo(2);
    var one = ref(wanted(spec("/one"), "v1"), DeploymentRef.State.CREATED);
    assertThat(children(Optional.empty(), List.of(one)).releases().waiting(spec)).contains("v1");
  }
}
