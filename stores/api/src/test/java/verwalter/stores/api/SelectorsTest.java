package verwalter.stores.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

class SelectorsTest {
  private static Resource<RoleInstance.Spec, RoleInstance.Status> object() {
    var spec =
        new RoleInstance.Spec(
            "web", "n-1", "t", Optional.of("v1,2"), Map.of("replicas", 3L, "debug", true));
    var object =
        Resource.of(RoleInstance.KIND, "web@n-1", spec)
            .withStatus(
                new RoleInstance.Status(
                    1, RoleInstance.State.RUNNING, 2, 2, 0, Instant.EPOCH, "", List.of()));
    return object.withMeta(
        object
            .meta()
            .withLabels(
                Map.of("tier", "front", "empty", "", "verwalter.io/zone", "eu-1", "in", "x")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "tier=front",
        "tier==front",
        " tier = front ",
        "tier!=back",
        "missing!=x",
        "tier in (front,back)",
        "tier in(front)",
        "tier notin (back)",
        "missing notin (x , y)",
        "tier",
        "!missing",
        "! missing",
        "empty=",
        "empty in ()",
        "empty in (,x)",
        "empty",
        "verwalter.io/zone=eu-1",
        "tier=front,empty,!missing,verwalter.io/zone in (eu-1,eu-2)",
        "in",
        "in in (x)",
        "empty=,tier"
      })
  void theseLabelSelectorsChooseIt(String selector) {
    assertThat(Selectors.labels(selector).test(object())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tier=back",
        "tier!=front",
        "tier in (back)",
        "tier notin (front,back)",
        "missing",
        "missing=",
        "missing in (x)",
        "!tier",
        "tier=Front",
        "tier,missing",
        "zone=eu-1"
      })
  void theseLabelSelectorsDoNot(String selector) {
    assertThat(Selectors.labels(selector).test(object())).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tier=a b | 8 | ','",
        "=x | 1 | the name of a label",
        "tier in front | 9 | '('",
        "tier in (front | 15 | ')'",
        "tier inn (x) | 6 | 'notin'",
        "a,,b | 3 | the name of a label",
        "a, | 3 | the name of a label",
        "tier=a=b | 7 | ','",
        "-a | 1 | the name of a label",
        "a/b/c | 1 | the name of a label",
        "tier=ä | 6 | ','",
        "!a=b | 3 | ','",
        "tier > 1 | 6 | one of"
      })
  void aMalformedLabelSelectorSaysWhereAndWhat(String selector, int position, String expected) {
    assertThatThrownBy(() -> Selectors.labels(selector))
        .isInstanceOf(Selectors.Malformed.class)
        .hasMessageContaining("'" + selector + "'")
        .hasMessageContaining("at position " + position)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "metadata.name=web@n-1",
        "metadata.name!=x",
        "spec.role=web",
        "spec.role==web,spec.node=n-1",
        "spec.version=v1\\,2",
        "status.state=RUNNING",
        "status.running=2",
        "spec.variables.debug=true",
        "spec.missing=",
        "spec.missing!=x",
        "metadata.labels.verwalter.io/zone=eu-1",
        "kind=RoleInstance"
      })
  void theseFieldSelectorsChooseIt(String selector) {
    assertThat(Selectors.fields(selector).test(object())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata.name=web",
        "spec.role!=web",
        "status.state=BROKEN",
        "spec=web",
        "spec.x=y"
      })
  void theseFieldSelectorsDoNot(String selector) {
    assertThat(Selectors.fields(selector).test(object())).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metadata.name | 14 | one of '='",
        "=x | 1 | the path of a field",
        "a..b=x | 2 | one of '='",
        "a=b=c | 4 | ','",
        "a=b\\c | 4 | ','",
        "a=b, | 5 | the path of a field"
      })
  void aMalformedFieldSelectorSaysWhereAndWhat(String selector, int position, String expected) {
    assertThatThrownBy(() -> Selectors.fields(selector))
        .isInstanceOf(Selectors.Malformed.class)
        .hasMessageContaining("at position " + position)
        .hasMessageContaining(expected);
  }

  @Test
  void anEndlessSelectorIsRefused() {
    assertThatThrownBy(() -> Selectors.labels("a,".repeat(100_000)))
        .isInstanceOf(Selectors.Malformed.class)
        .message()
        .hasSizeLessThan(400);
  }

  @Test
  void refusesTooManyRequirementsAndNames() {
    for (var selector : List.of("a!=b" + ",a!=b".repeat(200), "a" + ".a".repeat(50) + "=b")) {
      assertThatThrownBy(() -> Selectors.fields(selector)).isInstanceOf(Selectors.Malformed.class);
    }
    assertThatThrownBy(() -> Selectors.labels("a" + ",a".repeat(200)))
        .isInstanceOf(Selectors.Malformed.class);
    assertThat(Selectors.fields("a!=b" + ",a!=b".repeat(199)).test(object())).isTrue();
  }

  @Test
  void longPathsAndValuesNeedNoStack() throws InterruptedException {
    var failures = new java.util.concurrent.ConcurrentLinkedQueue<Throwable>();
    var small =
        new Thread(
            null,
            () -> {
              Selectors.fields("a=" + "\\,b".repeat(3_000));
              assertThatThrownBy(() -> Selectors.fields("a" + ".a".repeat(4_900) + "=b"))
                  .isInstanceOf(Selectors.Malformed.class);
            },
            "small",
            256 * 1024);
    small.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
    small.start();
    small.join();
    assertThat(failures).isEmpty();
  }

  /** Each requirement made the JSON of the object again. */
  @Test
  void aSelectorOfManyFieldsMakesTheJsonOfAnObjectOnce() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    var object = object();
    var one = Selectors.fields("spec.role!=x");
    var many = Selectors.fields("spec.role!=x" + ",spec.role!=x".repeat(150));
    assertThat(one.test(object)).isEqualTo(many.test(object));
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(one.test(object)).isTrue();
    long middle = threads.getCurrentThreadAllocatedBytes();
    assertThat(many.test(object)).isTrue();
    long after = threads.getCurrentThreadAllocatedBytes();
    assertThat(after - middle).isLessThan(100 * (middle - before));
  }
}
