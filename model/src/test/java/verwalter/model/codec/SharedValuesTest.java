package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
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
    var values = new HashMap<String, Map<String, Object>>();
    for (var each : detached.values()) {
      values.put(each.hash(), SharedValues.read(each.json()));
    }
    return SharedValues.attach(
        detached.spec(),
        hash -> Optional.ofNullable(values.get(hash)).orElseThrow(() -> new IOException(hash)));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void whatWasDetachedReadsBackAsItWas(@ForAll("resources") Resource<?, ?> resource)
      throws Exception {
    var detached = SharedValues.detach(resource.spec());
    Object back = attached(detached);
    assertThat(back).isEqualTo(resource.spec());
    assertThat(SharedValues.references(detached.spec()))
        .containsExactlyInAnyOrderElementsOf(
            detached.values().stream().map(SharedValues.Value::hash).toList());
  }

  @Provide
  Arbitrary<Resource<?, ?>> resources() {
    return AnyResource.any();
  }

  @Test
  void everyObjectThatSaysTheSameRefersToTheSameValue() {
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
  void aMappingOfTheLeastLengthIsDetached() {
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
  void aMappingThatReadsLikeAReferenceIsNotTakenForOne() throws Exception {
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
  void aKindWithoutFreeFormMappingsIsLeftAlone() {
    var spec = new Node.Spec(true);
    assertThat(SharedValues.detach(spec).spec()).isSameAs(spec);
  }

  private static RoleInstance.Spec instance(Map<String, Object> variables) {
    return new RoleInstance.Spec("web", "n", "web", Optional.empty(), variables);
  }
}
