package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.Kind;
import verwalter.model.Kinds;

/** No request through the HTTP API gives a node a command: only controllers write such objects. */
final class CommandWritesTest {
  private static final String API = "/apis/verwalter.io/v1/";
  private static final String JSON = "application/json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String PROCESS =
      "{'kind':'Daemon','instances':1,'command':{'arguments':['/bin/sh'],'user':0}}";
  private static final String SERVICE =
      "{'verwalter.io/service':{'v1':{'web':{'arguments':['/bin/sh'],'user':'root'}}}}";

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private static String spec(String kind) {
    return switch (kind) {
      case "processgroups" -> "{'spec':{'processes':{'added':" + PROCESS + "}}}";
      case "templateoutputs", "roleinstances" -> "{'spec':{'variables':" + SERVICE + "}}";
      case "nodeschedules" -> "{'spec':{'roles':{'shop-web':" + SERVICE + "}}}";
      default ->
          "{'spec':{'data':{'verwalter.io/versions':{'shop-web':{'v1.5.0':{'processes':{'web':"
              + "{'arguments':['/bin/sh']}}}}}}}}";
    };
  }

  private static String status(String kind) {
    return kind.equals("templateoutputs")
        ? "{'status':{'processes':[{'sandbox':'shop-web','processes':{'added':" + PROCESS + "}}]}}"
        : "{'status':{'observedGeneration':77}}";
  }

  private static void assertForbidden(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
  }

  private static ObjectNode merged(JsonNode present, String patch) throws IOException {
    return Server.JSON.readerForUpdating(present.deepCopy()).readValue(patch);
  }

  private <S, T> void remove(Kind<S, T> kind, String name) {
    Server.await(server.store.remove(server.get(kind, name)));
  }

  @ParameterizedTest
  @CsvSource({
    "processgroups,   shop-web@alpha, false",
    "processgroups,   shop-web@alpha, true",
    "templateoutputs, shop-web@alpha, false",
    "templateoutputs, shop-web@alpha, true",
    "roleinstances,   shop-web@alpha, false",
    "roleinstances,   shop-web@alpha, true",
    "nodeschedules,   alpha,          false",
    "nodeschedules,   alpha,          true",
    "schedules,       current,        false",
    "schedules,       current,        true",
  })
  void neitherAnonymousOperatorsNorAdminsWriteCommands(String kind, String name, boolean admin)
      throws IOException {
    Samples.fill(server.store, Instant.parse("2026-08-01T12:00:00Z"));
    if (admin) {
      server.asAdmin();
    }
    var path = API + kind + "/" + name;
    var before = Server.json(server.get(path));
    var spec = spec(kind).replace('\'', '"');
    var status = status(kind).replace('\'', '"');

    assertForbidden(server.send("PATCH", path, MERGE, spec));
    assertForbidden(server.send("PUT", path, JSON, merged(before, spec).toString()));
    assertForbidden(server.send("PATCH", path + "/status", MERGE, status));
    assertForbidden(server.send("PUT", path + "/status", JSON, merged(before, status).toString()));
    assertThat(Server.json(server.get(path))).isEqualTo(before);

    // The store itself removes the object, so that a request can create it.
    Kinds.ALL.stream().filter(each -> each.plural().equals(kind)).forEach(it -> remove(it, name));
    var fresh = merged(before, spec);
    ((ObjectNode) fresh.get("metadata")).remove("resourceVersion");
    ((ObjectNode) fresh.get("metadata")).remove("uid");
    assertForbidden(server.send("POST", API + kind, JSON, fresh.toString()));
    assertThat(server.get(path).statusCode()).isEqualTo(404);
  }
}
