package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.DeploymentRef;
import verwalter.model.Kind;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/**
 * The API, the tables that {@code vw} and {@code kubectl} print, and the page say the same word for
 * each state.
 */
final class SameWordsTest {
  private static final String ROW =
      "<tr id=\"%s/%s\".*?data-label=\"Status\">(?:<[^>]+>)*[^<]*(?:<[^>]+>)*\\s*([A-Za-z]+)";

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  /** The words of the column Status in the table of a kind, by name. */
  private Map<String, String> printed(Kind<?, ?> kind) throws Exception {
    var answer =
        server.get(
            "/apis/verwalter.io/v1/" + kind.plural(),
            "Accept",
            "application/json;as=Table;g=meta.k8s.io;v=v1");
    var words = new TreeMap<String, String>();
    for (var row : Server.JSON.readTree(answer.body()).path("rows")) {
      words.put(row.at("/object/metadata/name").asText(), row.at("/cells/1").asText());
    }
    return words;
  }

  /** The states in the objects of a kind, by name, in the form of words. */
  private Map<String, String> objects(Kind<?, ?> kind) throws Exception {
    var answer = server.get("/apis/verwalter.io/v1/" + kind.plural());
    var words = new TreeMap<String, String>();
    for (var item : Server.JSON.readTree(answer.body()).path("items")) {
      words.put(item.at("/metadata/name").asText(), word(item.at("/status/state").asText()));
    }
    return words;
  }

  private static String word(String state) {
    return state.charAt(0) + state.substring(1).toLowerCase(Locale.ROOT);
  }

  /** The word in a row of the page. */
  private Optional<String> shown(String section, String name) {
    var row =
        Pattern.compile(ROW.formatted(section, Pattern.quote(name)), Pattern.DOTALL)
            .matcher(server.get("/").body());
    return row.find() ? Optional.of(row.group(1)) : Optional.empty();
  }

  private void awaitShown(Map<String, String> words, String section) {
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                words.forEach(
                    (name, word) ->
                        assertThat(shown(section, name)).as(section + "/" + name).contains(word)));
  }

  @Test
  void statesOfInstances() throws Exception {
    for (var state : RoleInstance.State.values()) {
      var role = state.name().toLowerCase(Locale.ROOT);
      var spec = new RoleInstance.Spec(role, "n", "t", Optional.of("v1"), Map.of());
      var made = server.put(Resource.of(RoleInstance.KIND, RoleInstance.name(role, "n"), spec));
      server.putStatus(
          made.withStatus(
              new RoleInstance.Status(1, state, 1, 1, 0, Instant.EPOCH, "", List.of())));
    }
    var printed = printed(RoleInstance.KIND);
    assertThat(printed).hasSize(RoleInstance.State.values().length);
    assertThat(objects(RoleInstance.KIND)).isEqualTo(printed);
    awaitShown(printed, "instances");
  }

  @Test
  void statesOfReleases() throws Exception {
    for (var state : DeploymentRef.State.values()) {
      var role = state.name().toLowerCase(Locale.ROOT);
      var spec =
          new DeploymentRef.Spec(role, "n", "v1", "main", 1, 0, "/x.tar", Optional.empty(), false);
      var made = server.put(Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec));
      var initial = DeploymentRef.Status.INITIAL;
      server.putStatus(
          made.withStatus(
              new DeploymentRef.Status(
                  1,
                  state,
                  initial.resolvedDigest(),
                  0,
                  initial.bytesTotal(),
                  initial.path(),
                  initial.attempts(),
                  initial.nextRetry(),
                  "",
                  List.of())));
    }
    var printed = printed(DeploymentRef.KIND);
    assertThat(printed).hasSize(DeploymentRef.State.values().length);
    assertThat(objects(DeploymentRef.KIND)).isEqualTo(printed);
  }

  @Test
  void statesOfProcesses() throws Exception {
    for (var state : ProcessGroup.State.values()) {
      var role = state.name().toLowerCase(Locale.ROOT);
      var spec = new ProcessGroup.Spec(role, "n", role, Map.of());
      var made = server.put(Resource.of(ProcessGroup.KIND, ProcessGroup.name(role, "n"), spec));
      var slot =
          new ProcessGroup.Slot(
              role + "/x.0",
              state,
              "image",
              Optional.empty(),
              Optional.empty(),
              0,
              0,
              Optional.empty(),
              Optional.empty(),
              "",
              List.of(),
              List.of(),
              Optional.empty());
      server.putStatus(
          made.withStatus(
              new ProcessGroup.Status(1, 1, 0, List.of(slot), List.of(), Optional.empty())));
    }
    var words = new TreeMap<String, String>();
    for (var item :
        Server.JSON
            .readTree(server.get("/apis/verwalter.io/v1/processgroups").body())
            .path("items")) {
      var slot = item.at("/status/processes/0");
      words.put(slot.path("name").asText() + "@n", word(slot.path("state").asText()));
    }
    assertThat(words).hasSize(ProcessGroup.State.values().length);
    awaitShown(words, "processes");
  }
}
