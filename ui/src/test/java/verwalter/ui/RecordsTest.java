package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.DecisionRecord;
import verwalter.model.Decisions;
import verwalter.model.Scheduler.Reason;

final class RecordsTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private final Server server = new Server(new Three());

  @AfterEach
  void close() {
    server.close();
  }

  private static DecisionRecord record(int i) {
    var input = new LinkedHashMap<String, Object>();
    input.put("zone", 1.0);
    input.put("runtime", Map.of());
    input.put("now", START.plusSeconds(i).toEpochMilli());
    boolean failed = i == 2;
    return new DecisionRecord(
        START.plusSeconds(i),
        "c0de",
        input,
        failed ? Optional.empty() : Optional.of(Map.of("i", i)),
        failed ? "main.lua:1: no" : "",
        "log " + i,
        7,
        Duration.ofMillis(2),
        List.of(new Reason("web", Optional.of("n1"), "why")),
        List.of("Action/1: no"));
  }

  /** Three records; the newest is a failure, the oldest is corrupt on disk. */
  private static final class Three implements Decisions {
    private static Entry entry(int i) {
      var record = record(i);
      return new Entry(record.id(), record.at(), record.schedule(), record.code(), 100 + i);
    }

    @Override
    public List<Entry> newestFirst() {
      return List.of(entry(2), entry(1), entry(0));
    }

    @Override
    public Entry find(String reference) throws Unknown {
      return newestFirst().stream()
          .filter(each -> each.id().startsWith(reference))
          .findFirst()
          .orElseThrow(() -> new Unknown("no record " + reference));
    }

    @Override
    public DecisionRecord read(Entry entry) throws IOException {
      if (entry.bytes() == 100) {
        throw new IOException("x.gz is broken");
      }
      return record((int) entry.bytes() - 100);
    }

    @Override
    public byte[] packed(Entry entry) {
      return new byte[] {1, 2, 3};
    }

    @Override
    public Optional<byte[]> packedCode(String hash) {
      return Optional.empty();
    }

    @Override
    public Optional<Map<String, Object>> code(String hash) {
      return Optional.of(Map.of("files", Map.of("main.lua", "return {}")));
    }
  }

  @Test
  void listsRecordsPageByPage() {
    var first = Server.json(server.get("/v1/decisions?limit=2"));
    assertThat(first.path("items").findValuesAsText("id"))
        .containsExactly(record(2).id(), record(1).id());
    assertThat(first.at("/items/0/schedule").asText()).isEmpty();
    assertThat(first.at("/items/1/schedule").asText()).isEqualTo(record(1).schedule());
    var rest =
        Server.json(
            server.get("/v1/decisions?limit=2&continue=" + first.path("continue").asText()));
    assertThat(rest.path("items").findValuesAsText("id")).containsExactly(record(0).id());
    assertThat(rest.has("continue")).isFalse();
    assertThat(server.get("/v1/decisions?limit=0").statusCode()).isEqualTo(400);
    assertThat(server.get("/v1/decisions?continue=x").statusCode()).isEqualTo(400);
  }

  @Test
  void returnsRecordAndItsParts() {
    var one = "/v1/decisions/" + record(1).id();
    var head = Server.json(server.get(one));
    assertThat(head.path("instructions").asInt()).isEqualTo(7);
    assertThat(head.at("/reasons/0/text").asText()).isEqualTo("why");
    assertThat(server.get(one + "/input").body())
        .isEqualTo("{\"now\":1795255201000,\"runtime\":{},\"zone\":1.0}");
    assertThat(server.get(one + "/output").body()).isEqualTo("{\"i\":1}");
    assertThat(server.get(one + "/log").body()).isEqualTo("log 1");
    assertThat(server.get(one + "/code").body()).contains("return {}");
    assertThat(server.get(one + "/packed").headers().firstValue("Content-Type"))
        .hasValue("application/gzip");
    assertThat(server.get(one + "/packed_code").statusCode()).isEqualTo(404);
    assertThat(server.get("/v1/decisions/ffff").body()).contains("no record ffff");
  }

  @Test
  void reportsFailedRunAndCorruptFile() {
    var failed = "/v1/decisions/" + record(2).id();
    assertThat(Server.json(server.get(failed)).path("problem").asText())
        .isEqualTo("main.lua:1: no");
    assertThat(server.get(failed + "/output").statusCode()).isEqualTo(404);
    var broken = server.get("/v1/decisions/" + record(0).id());
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(broken.body()).contains("x.gz is broken");
  }

  @Test
  void servesNewestAtRoutesOfVersion013() {
    assertThat(server.get("/v1/scheduler_input").body()).startsWith("{\"now\":1795255202000,");
    assertThat(server.get("/v1/scheduler_input.gron").body()).contains("json.zone = 1.0\n");
    assertThat(server.get("/v1/scheduler_debug_info").body()).isEqualTo("main.lua:1: no");
    assertThat(server.get("/v1/scheduler_debug_info.json").headers().firstValue("Content-Type"))
        .hasValue("text/plain; charset=utf-8");
  }
}
