package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.json.Json;

/** Objects read back equal in every format. */
class RoundTripTest {
  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void storedJsonReadsBack(@ForAll("resources") Resource<?, ?> resource) throws Exception {
    assertThat(Codec.fromJson(Codec.json(resource))).isEqualTo(resource);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void countsTheBytesOfItsJson(@ForAll("resources") Resource<?, ?> resource) {
    assertThat(Codec.length(resource)).isEqualTo(Codec.json(resource).length);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void jsonReadsBackStrictly(@ForAll("resources") Resource<?, ?> resource) throws Exception {
    var json = new String(Codec.json(resource), StandardCharsets.UTF_8);
    assertThat(Codec.read(json, "x.json").get(0)).isEqualTo(resource);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void yamlReadsBackStrictly(@ForAll("resources") Resource<?, ?> resource) throws Exception {
    var yaml = Codec.yaml(resource);
    assertThat(Codec.read(yaml, "x.yaml").get(0)).as(yaml).isEqualTo(resource);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void treesReadBackStrictly(@ForAll("resources") Resource<?, ?> resource) throws Exception {
    assertThat(Codec.read(Codec.tree(resource), resource.type())).isEqualTo(resource);
  }

  @Property(tries = 5000)
  void anyTextSurvivesYamlAsValueAndAsKey(@ForAll("texts") String text) throws Exception {
    var node = Resource.of(Node.KIND, "a", new Node.Spec(false));
    var annotated = node.withMeta(node.meta().withAnnotations(Map.of(text, text)));
    var yaml = Codec.yaml(annotated);
    assertThat(Codec.read(yaml, "x.yaml").get(0)).as(yaml).isEqualTo(annotated);
  }

  @ParameterizedTest
  @FieldSource("verwalter.model.codec.AnyJson#TRICKY")
  void trickyTextsSurviveYaml(String text) throws Exception {
    anyTextSurvivesYamlAsValueAndAsKey(text);
  }

  @Test
  void nullInsideFreeFormValuesIsKept() throws Exception {
    var json = "{\"a\":null,\"b\":[null]}";
    var instance =
        Resource.of(
            NodeSchedule.KIND,
            "a",
            new NodeSchedule.Spec("", Map.of("r", Json.object(Json.parse(json)))));
    assertThat(Codec.fromJson(Codec.json(instance))).isEqualTo(instance);
    assertThat(Codec.read(Codec.yaml(instance), "").get(0)).isEqualTo(instance);
  }

  @Provide
  Arbitrary<Resource<?, ?>> resources() {
    return AnyResource.any();
  }

  @Provide
  Arbitrary<String> texts() {
    return AnyJson.texts();
  }
}
