package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.Changed;
import verwalter.model.TemplateOutput.Drift;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;
import verwalter.stores.engine.MemoryStore;

/** The status of an output and the events about it, from what an attempt gave. */
class OutputStatusTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = THEN.plusSeconds(60);
  private static final Changed FILE = changed("/etc/a");

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final OutputEvents events =
      new OutputEvents(new Events(store, world.loop("events"), "n1"));

  private static Changed changed(String path) {
    return new Changed(
        path,
        "has another content",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Templates.Applied applied(boolean changed, boolean repaired, Changed... drifted) {
    return new Templates.Applied(
        "digest",
        List.of(new TemplateOutput.File("/etc/a", "ab", "0644", 3)),
        List.of(),
        List.of(),
        List.of(drifted),
        repaired,
        false,
        List.of(),
        List.of(),
        false,
        changed,
        List.of());
  }

  private static Resource<Spec, Status> bare() {
    return Resource.of(TemplateOutput.KIND, "web@n1", new Spec("web", "n1", "t", Map.of()));
  }

  private static Resource<Spec, Status> output(Optional<Drift> drift) {
    return bare()
        .withStatus(
            new Status(
                0,
                Optional.of("d1"),
                "digest",
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                drift,
                List.of()));
  }

  private static Resource<Spec, Status> annotated(
      Resource<Spec, Status> output, String key, String value) {
    return output.withMeta(output.meta().withAnnotations(Map.of(key, value)));
  }

  private static Optional<Drift> drift(boolean repaired, Changed... files) {
    return Optional.of(new Drift(THEN, repaired, List.of(files)));
  }

  private static Optional<Drift> driftAfter(Optional<Drift> last, Templates.Applied applied) {
    var output = output(last);
    var drift = OutputStatus.succeeded(output, applied, "d2", NOW).drift();
    assertThat(OutputStatus.checked(output, applied, "d2", NOW).drift()).isEqualTo(drift);
    return drift;
  }

  @Test
  void anEmptyPinIsNone() {
    assertThat(OutputStatus.pin(bare())).isEmpty();
    assertThat(OutputStatus.pin(annotated(bare(), TemplateOutput.PIN, ""))).isEmpty();
    assertThat(OutputStatus.pin(annotated(bare(), TemplateOutput.PIN, "d1"))).contains("d1");
    assertThat(OutputStatus.allowed(annotated(bare(), TemplateOutput.ALLOW, "x"))).contains("x");
  }

  @Test
  void theDeploymentIsTheLastOneThatChangedAnything() {
    var output = output(Optional.empty());
    for (var status :
        List.of(
            OutputStatus.succeeded(output, applied(true, false), "d2", NOW),
            OutputStatus.checked(output, applied(true, false), "d2", NOW))) {
      assertThat(status.deployment()).contains("d2");
    }
    for (var status :
        List.of(
            OutputStatus.succeeded(output, applied(false, false), "d2", NOW),
            OutputStatus.checked(output, applied(false, false), "d2", NOW))) {
      assertThat(status.deployment()).contains("d1");
    }
  }

  @Test
  void aDriftIsReportedFromWhenItWasNoticed() {
    assertThat(driftAfter(Optional.empty(), applied(false, false, FILE)))
        .contains(new Drift(NOW, false, List.of(FILE)));
    assertThat(driftAfter(drift(false, FILE), applied(false, false, FILE)))
        .contains(new Drift(THEN, false, List.of(FILE)));
    assertThat(driftAfter(drift(true, FILE), applied(true, true, FILE)))
        .contains(new Drift(NOW, true, List.of(FILE)));
  }

  @Test
  void aRepairedDriftStaysUntilTheNextApplicationAndAnOpenOneUntilItIsGone() {
    assertThat(driftAfter(drift(true, FILE), applied(false, false))).isEqualTo(drift(true, FILE));
    assertThat(driftAfter(drift(true, FILE), applied(true, false))).isEmpty();
    assertThat(driftAfter(drift(false, FILE), applied(false, false))).isEmpty();
    assertThat(driftAfter(Optional.empty(), applied(false, false))).isEmpty();
  }

  private static Condition condition(Status status, ConditionType type) {
    return Condition.find(status.conditions(), type).orElseThrow();
  }

  @Test
  void filesAreAsWrittenUnlessADriftIsOpen() {
    var output = output(Optional.empty());
    var open = OutputStatus.succeeded(output, applied(false, false, FILE), "d2", NOW);
    assertThat(condition(open, ConditionType.AS_WRITTEN).isFalse()).isTrue();
    assertThat(condition(open, ConditionType.AS_WRITTEN).message())
        .isEqualTo("/etc/a has another content");
    for (var applied : List.of(applied(true, true, FILE), applied(false, false))) {
      var status = OutputStatus.succeeded(output, applied, "d2", NOW);
      assertThat(condition(status, ConditionType.AS_WRITTEN).isTrue()).isTrue();
    }
  }

  @Test
  void driftedFilesAreShortenedToTheFirst() {
    assertThat(OutputStatus.paths(List.of(FILE))).isEqualTo("/etc/a has another content");
    assertThat(OutputStatus.paths(List.of(FILE, changed("b"), changed("c"))))
        .isEqualTo("/etc/a has another content, and 2 more");
  }

  @Test
  void aPinnedReleaseIsSaidWithTheCommandThatEndsIt() {
    var pinned = annotated(output(Optional.empty()), TemplateOutput.PIN, "d1");
    var status = OutputStatus.succeeded(pinned, applied(true, false), "d2", NOW);
    var rendered = condition(status, ConditionType.RENDERED);
    assertThat(rendered.hasReason(Reason.ROLLED_BACK)).isTrue();
    assertThat(rendered.message()).contains("d1", "vw files resume web --node n1");
  }

  private List<Event.Spec> reported() {
    world.runFor(Duration.ofSeconds(1));
    return store.list(Event.KIND).stream().map(Resource::spec).toList();
  }

  private void report(Resource<Spec, Status> output, Templates.Applied applied) {
    events.applied(output, applied, OutputStatus.succeeded(output, applied, "d2", NOW));
  }

  @Test
  void anOpenDriftIsAnEventOnce() {
    report(output(drift(false, FILE)), applied(false, false, FILE));
    assertThat(reported()).isEmpty();
    report(output(drift(true, FILE)), applied(false, false, FILE));
    report(output(drift(false, changed("/etc/b"))), applied(false, false, FILE));
    report(output(Optional.empty()), applied(false, false, FILE));
    assertThat(reported())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.count()).isEqualTo(3);
              assertThat(event.type()).isEqualTo(Event.Type.WARNING);
              assertThat(event.reason()).isEqualTo(Reason.DRIFTED.title());
              assertThat(event.message()).isEqualTo("/etc/a has another content");
            });
  }

  @Test
  void aRepairIsAnEventOfItsOwnUnlessTheInputChangedToo() {
    report(output(drift(false, FILE)), applied(true, true, FILE));
    assertThat(reported()).extracting(Event.Spec::reason).containsExactly(Reason.REPAIRED.title());
    report(bare(), applied(true, true, FILE));
    assertThat(reported())
        .extracting(Event.Spec::reason)
        .contains(Reason.RENDERED.title(), Reason.DRIFTED.title());
  }

  @Test
  void whatIsInPlaceIsAnEvent() {
    report(output(Optional.empty()), applied(true, false));
    assertThat(reported())
        .extracting(Event.Spec::message)
        .containsExactly("1 files, 0 process files are in place");
    report(annotated(output(Optional.empty()), TemplateOutput.PIN, "d1"), applied(true, false));
    assertThat(reported())
        .filteredOn(event -> event.reason().equals(Reason.ROLLED_BACK.title()))
        .extracting(Event.Spec::message)
        .containsExactly("release d1: 1 files, 0 process files are in place");
    report(output(Optional.empty()), applied(false, false));
    assertThat(reported()).hasSize(2).allMatch(event -> event.count() == 1);
  }

  @Test
  void aFailureIsAnEventUnlessItIsThatOfBefore() {
    var output = output(Optional.empty());
    var broken = new Templates.Failed("no such variable", true);
    var status = OutputStatus.failed(output, broken, "no such variable", NOW);
    events.failed(output, broken, "no such variable", status);
    events.failed(output.withStatus(status), broken, "no such variable", status);
    assertThat(reported())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.type()).isEqualTo(Event.Type.WARNING);
              assertThat(event.count()).isEqualTo(1);
            });

    var waiting = Templates.Failed.needing(new Needs.Obstacle(false, "waits"), List.of("db"));
    events.failed(output, waiting, "waits", OutputStatus.failed(output, waiting, "waits", NOW));
    assertThat(reported())
        .filteredOn(event -> event.reason().equals(Reason.WAITING.title()))
        .extracting(Event.Spec::type)
        .containsExactly(Event.Type.NORMAL);
  }
}
