package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceRevisions;

class HeldIntentsTest {
  private static final RoleConfig.Spec NONE =
      new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());

  private static RoleConfig.Spec revision(RoleConfig.Spec before, String program, int instances) {
    try {
      var text =
          "processes: {web: {command: [%s], instances: %d}, worker: {command: [w]}}"
              .formatted(program, instances);
      return ServiceRevisions.next(before, ServiceFile.read(text, "f"), Instant.EPOCH);
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  /** Each intent after the file has changed. */
  @ParameterizedTest
  @CsvSource({
    "a, 1, undo web worker paused", // nothing changed
    "b, 1, web worker paused",
    "a, 2, worker paused",
  })
  void anIntentEndsWhenTheFileChangesWhatItIsAbout(String program, int instances, String kept) {
    var before = revision(NONE, "a", 1);
    var names =
        Map.of(
            "undo",
            RoleIntent.REVISION,
            "paused",
            RoleIntent.PAUSED,
            "web",
            RoleIntent.SCALE + "web",
            "worker",
            RoleIntent.SCALE + "worker");
    var annotations = new java.util.TreeMap<String, String>();
    names.values().forEach(name -> annotations.put(name, "1"));
    var after = HeldIntents.after(annotations, before, revision(before, program, instances));
    assertThat(after.keySet())
        .containsExactlyInAnyOrderElementsOf(
            java.util.Arrays.stream(kept.split(" ")).map(names::get).toList());
  }

  @Test
  void rolesWithTemplatesEndAnUndoToo() {
    var before = RoleConfig.Spec.of(Map.of("v1", Map.of()));
    var after = RoleConfig.Spec.of(Map.of("v1", Map.of(), "v2", Map.of()));
    assertThat(HeldIntents.after(Map.of(RoleIntent.REVISION, "v1"), before, after)).isEmpty();
  }
}
