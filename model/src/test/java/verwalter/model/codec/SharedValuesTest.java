package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.SharedValues.Detached;

class SharedValuesTest {
  private static final Map<String, Object> LONG =
      Map.of("text", "x".repeat(SharedValues.LEAST_BYTES));

  private static <S> S attached(Detached<S> detached) throws IOException {
    var values = new HashMap<String, SharedValues.Value>();
    detached.values().forEach(each -> values.put(each.hash(), each));
    return SharedValues.attach(detached.spec(), hash -> read(hash, values));
  }

  private static Map<String, Object> read(String hash, Map<String, SharedValues.Value> values)
      throws IOException {
    var value = values.get(hash);
    if (value == null) {
      throw new IOException(hash);
    }
    assertThat(SharedValues.isSplit(hash)).isEqualTo(value.isSplit());
    if (value.isSplit()) {
      assertThat(SharedValues.children(value.json())).isEqualTo(value.children());
    }
    return SharedValues.read(value.json(), value.isSplit(), child -> read(child, values));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void detachedValuesReadBackEqual(@ForAll("resources") Resource<?, ?> resource) throws Exception {
    var detached = SharedValues.detach(resource.spec());
    Object back = attached(detached);
    assertThat(back).isEqualTo(resource.spec());
    assertThat(detached.values())
        .extracting(SharedValues.Value::hash)
        .containsAll(SharedValues.references(detached.spec()));
  }

  @Provide
  Arbitrary<Resource<?, ?>> resources() {
    return AnyResource.any();
  }

  @Test
  void equalMappingsShareOneValue() {
    var hash = SharedValues.detach(instance(LONG)).values().get(0).hash();
    assertThat(
            SharedValues.detach(
                    new TemplateOutput.Spec("web", "n", "web", new LinkedHashMap<>(LONG)))
                .values())
        .extracting(SharedValues.Value::hash)
        .containsExactly(hash);
    assertThat(
            SharedValues.detach(
                    new NodeSchedule.Spec("00", Map.of("web", LONG, "api", LONG, "x", Map.of())))
                .values())
        .extracting(SharedValues.Value::hash)
        .containsExactly(hash);
    assertThat(SharedValues.detach(Schedule.Spec.of(LONG, List.of(), "00", Instant.EPOCH)).values())
        .extracting(SharedValues.Value::hash)
        .containsExactly(hash);
  }

  @Test
  void aShortMappingStaysInItsObject() {
    var spec = instance(Map.of("a", 1L));
    var detached = SharedValues.detach(spec);
    assertThat(detached.spec()).isSameAs(spec);
    assertThat(detached.values()).isEmpty();
  }

  @Test
  void aMappingOfTheMinimumLengthIsDetached() {
    int rest = "{\"a\":\"\"}".length();
    var text = "x".repeat(SharedValues.LEAST_BYTES - rest);
    assertThat(SharedValues.detach(instance(Map.of("a", text))).values()).hasSize(1);
    var shorter = text.substring(1);
    assertThat(SharedValues.detach(instance(Map.of("a", shorter))).values()).isEmpty();
  }

  @Test
  void theOrderOfEntriesIsKept() throws Exception {
    var map = new LinkedHashMap<String, Object>();
    map.put("z", "x".repeat(SharedValues.LEAST_BYTES));
    map.put("a", 1L);
    map.put("m", 2.0);
    var back = attached(SharedValues.detach(instance(map)));
    assertThat(back.variables().keySet()).containsExactly("z", "a", "m");
  }

  @Test
  void aMappingInTheFormOfAReferenceIsNotAReference() throws Exception {
    var spec = instance(Map.of("$value", "hash"));
    var detached = SharedValues.detach(spec);
    assertThat(detached.values()).hasSize(1);
    assertThat(attached(detached)).isEqualTo(spec);
  }

  @Test
  void aMissingValueIsAnError() {
    var detached = SharedValues.detach(instance(LONG));
    assertThatThrownBy(
            () ->
                SharedValues.attach(
                    detached.spec(),
                    hash -> {
                      throw new IOException("no value " + hash);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no value " + detached.values().get(0).hash());
  }

  @Test
  void aKindWithoutFreeFormMappingsIsNotChanged() {
    var spec = new Node.Spec(true);
    assertThat(SharedValues.detach(spec).spec()).isSameAs(spec);
  }

  private static RoleInstance.Spec instance(Map<String, Object> variables) {
    return new RoleInstance.Spec("web", "n", "web", Optional.empty(), variables);
  }

  /** The data of a schedule for {@code nodes} nodes, one of which has another version. */
  private static Schedule.Spec schedule(int nodes, int other) {
    var all = new LinkedHashMap<String, Object>();
    for (int i = 0; i < nodes; i++) {
      var roles = new LinkedHashMap<String, Object>();
      for (int role = 0; role < 10; role++) {
        roles.put("role-" + role, Map.of("version", i == other ? "v2" : "v1", "port", 1000L + i));
      }
      all.put("node-" + i, Map.of("roles", roles));
    }
    Map<String, Object> vars = Map.of("text", "a long text ".repeat(10));
    var data = new LinkedHashMap<String, Object>();
    data.put("vars", vars);
    data.put("nodes", all);
    data.put("state", Map.of());
    return Schedule.Spec.of(data, List.of(), "00", Instant.EPOCH);
  }

  @Test
  void aLargeMappingIsSplitAndReadsBackInItsOrder() throws Exception {
    var schedule = schedule(1000, -1);
    var detached = SharedValues.detach(schedule);
    assertThat(detached.values()).hasSizeGreaterThan(1000);
    assertThat(detached.values())
        .allSatisfy(each -> assertThat(each.json().remaining()).isLessThan(32 << 10));
    var back = attached(detached);
    assertThat(back).isEqualTo(schedule);
    assertThat(back.data().keySet()).containsExactlyElementsOf(schedule.data().keySet());
    assertThat(((Map<?, ?>) back.data().get("nodes")).keySet().stream().toList())
        .isEqualTo(List.copyOf(((Map<?, ?>) schedule.data().get("nodes")).keySet()));
  }

  @Test
  void aChangeOnOneNodeCreatesFewNewValuesAtAnySize() {
    for (int nodes : List.of(100, 1000)) {
      var before = new HashMap<String, SharedValues.Value>();
      SharedValues.detach(schedule(nodes, -1))
          .values()
          .forEach(each -> before.put(each.hash(), each));
      int bytes = 0;
      for (var each : SharedValues.detach(schedule(nodes, nodes / 2)).values()) {
        bytes += before.containsKey(each.hash()) ? 0 : each.json().remaining();
      }
      assertThat(bytes).isLessThan(16 << 10);
    }
  }

  @Test
  void valuesFollowTheValuesTheyReferTo() {
    var seen = new ArrayList<String>();
    for (var each : SharedValues.detach(schedule(300, 3)).values()) {
      assertThat(seen).containsAll(each.children());
      seen.add(each.hash());
    }
  }

  @Test
  void largeMappingsWithEntriesInTheFormOfReferencesReadBack() throws Exception {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 200; i++) {
      map.put("k" + i, Map.of("x", "y".repeat(100)));
    }
    map.put("$value", "hash");
    map.put("$parts", List.of("a", "b"));
    map.put("reference", Map.of("$value", "x"));
    map.put("nested", Map.of("deep", Map.of("$value", "x")));
    map.put("parts", Map.of("$parts", List.of("x")));
    assertThat(attached(SharedValues.detach(instance(map)))).isEqualTo(instance(map));
    var alone = Map.<String, Object>of("$parts", List.of("x".repeat(20_000)));
    assertThat(attached(SharedValues.detach(instance(alone)))).isEqualTo(instance(alone));
    var one = Map.<String, Object>of("$value", "x".repeat(20_000));
    assertThat(attached(SharedValues.detach(instance(one)))).isEqualTo(instance(one));
  }
}
