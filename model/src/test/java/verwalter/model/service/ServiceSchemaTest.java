package verwalter.model.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import verwalter.model.codec.Described;
import verwalter.model.json.DecodeException;

/** The reader of service files and their JSON Schema accept and refuse the same files. */
class ServiceSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(VersionFlag.V202012)
          .getSchema(JSON.valueToTree(ServiceSchema.json()));

  /** Values of each field, of which the reader refuses some. */
  private static final Map<String, List<Object>> SECRETS =
      Map.of(
          "secrets",
          List.of(
              Map.of("db.key", "/etc/shop/db"),
              Map.of(".db", "/etc/shop/db"),
              Map.of("db", "etc/db"),
              Map.of("a/b", "/x"),
              Map.of("db", "/")));

  private static final Map<String, List<Object>> PROCESS =
      Map.of(
          "command", List.of(List.of("./x", 1, true), List.of("a"), List.of(), "./x"),
          "instances", List.of(0, 3, 10_000, 10_001, -1, "3"),
          "per-node", List.of(1, 2, 20_000),
          "share", List.of("20%", "100%", "0%", "101%", 20),
          "ports",
              List.of(
                  Map.of("http", 80, "admin-1", "10200-10299"),
                  Map.of("http", 0),
                  Map.of("http", 65_536),
                  Map.of("Http", 80),
                  Map.of("http", "x"),
                  List.of()),
          "env", List.of(Map.of("A_1", 1, "b", "x"), Map.of("1A", "x"), Map.of("A", List.of())),
          "user", List.of("nobody", 33, "Nobody", "www-data", -1, true),
          "directory", List.of("/", "/srv/x", "srv", 1, "${releases}", "${role}/x"),
          "stop-timeout",
              List.of("5s", 5, "24h", "25h", "1440m", "1441m", "86400", 86_400, 86_401, "x", "1d"),
          "limits",
              List.of(
                  Map.of("files", 16),
                  Map.of("memory", "200MB", "cpu", "0.5", "pids", 10),
                  Map.of("pids", 0),
                  Map.of("files", 15),
                  Map.of("flies", 16),
                  Map.of()));

  /** More fields of a process; names in {@code after} are those of the file. */
  private static final Map<String, List<Object>> MORE =
      Map.of("after", List.of(List.of(), List.of(3), "web"));

  private static final Map<String, List<Object>> TASK =
      Map.of(
          "command", List.of(List.of("./x"), List.of()),
          "cron",
              List.of(
                  "*/5 * * * *",
                  "30 3 * * mon-fri",
                  "@daily",
                  "1,2-4/2 0 1 jan 7",
                  "60 * * * *",
                  "* * * *",
                  "@noon",
                  5),
          "time-zone", List.of("Europe/Berlin", "UTC", "", "Europe Berlin"),
          "time-limit", List.of("1h", 1, 0, "0s", "25h"),
          "per-node", List.of(1, 2),
          "user", List.of("nobody", true),
          "limits", List.of(Map.of("pids", 10), Map.of("pids", 0)));

  private static final Map<String, List<Object>> UPDATE =
      Map.of(
          "one-by-one", List.of(true, false, "yes"),
          "substeps", List.of(1, 100, 0, 101),
          "canary", List.of("1%", "99%", "100%"),
          "blue-green", List.of(true, false),
          "ready-for", List.of("10s", 0, "90m", "2d"),
          "on-failure", List.of("revert", "pause", "stop"));

  private static final Map<String, List<Object>> PLACE =
      Map.of(
          "nodes", List.of("zone=a", "zone=a, disk=ssd", "a=", "zone", "=a", ","),
          "spread", List.of("host", "zone", "", "a b"));

  private static final Map<String, List<Object>> IMAGE =
      Map.of(
          "url",
              List.of(
                  "/srv/shop",
                  "/srv/shop.tar.gz",
                  "file:/srv/shop.tar.gz",
                  "https://example.com/shop.zip",
                  "ftp://x/y",
                  "srv/shop",
                  7),
          "sha256", List.of("0f".repeat(32), "sha256:" + "a".repeat(64), "0f", 7));

  private static final Map<String, List<Object>> FILE =
      Map.of(
          "template", List.of("shop.ini.j2", "a/b.hbs", "shop.ini", "../x.j2", ".x.j2", 1),
          "to", List.of("etc/shop.ini", "x", "/etc/x", "a//b", "a/../b", ""));

  private static boolean reads(String text) {
    try {
      ServiceFile.read(text, "a.yaml");
      return true;
    } catch (DecodeException refused) {
      return false;
    }
  }

  /** Some of the fields, mostly with the first value, which is valid. */
  private static Map<String, Object> some(
      Map<String, List<Object>> fields, SplittableRandom random, int chance) {
    var some = new LinkedHashMap<String, Object>();
    fields.forEach(
        (name, values) -> {
          if (random.nextInt(chance) == 0) {
            boolean usual = random.nextInt(3) > 0;
            some.put(name, values.get(usual ? 0 : random.nextInt(values.size())));
          }
        });
    if (random.nextInt(30) == 0) {
      some.put("unknown", 1);
    }
    return some;
  }

  private static Map<String, Object> file(SplittableRandom random) {
    var file = new LinkedHashMap<String, Object>();
    var processes = new LinkedHashMap<String, Object>();
    var names = List.of("web", "a_1", "worker-x", "web-1", "Web", "", "w".repeat(41));
    for (int i = random.nextInt(12) == 0 ? 0 : 1; i > 0; i--) {
      var process = new LinkedHashMap<String, Object>();
      if (random.nextInt(20) > 0) {
        process.put("command", List.of("./server"));
      }
      process.putAll(some(PROCESS, random, 5));
      process.putAll(some(MORE, random, 5));
      process.putAll(some(SECRETS, random, 4));
      processes.put(names.get(random.nextInt(4) > 0 ? 0 : random.nextInt(names.size())), process);
    }
    file.put("processes", processes);
    if (random.nextInt(3) == 0) {
      var task = new LinkedHashMap<String, Object>();
      task.put("command", List.of("./x"));
      task.putAll(some(TASK, random, 4));
      file.put("commands", Map.of(random.nextInt(9) > 0 ? "job" : "Job", task));
    }
    if (random.nextBoolean()) {
      file.put("update", some(UPDATE, random, 5));
    }
    if (random.nextBoolean()) {
      file.put("place", some(PLACE, random, 3));
    }
    if (random.nextInt(3) == 0) {
      file.put("image", some(IMAGE, random, 2));
    }
    if (random.nextInt(3) == 0) {
      file.put("files", List.of(some(FILE, random, 1)));
    }
    return file;
  }

  @Test
  void acceptsAndRefusesTheSameGeneratedFiles() throws IOException {
    int accepted = 0;
    var random = new SplittableRandom(86);
    for (int i = 0; i < 3000; i++) {
      var text = JSON.writeValueAsString(file(random));
      boolean valid = SCHEMA.validate(JSON.readTree(text)).isEmpty();
      assertThat(valid).as(text).isEqualTo(reads(text));
      accepted += valid ? 1 : 0;
    }
    assertThat(accepted).isBetween(300, 2500);
  }

  @Test
  void acceptsTheExample() throws Exception {
    var text = ServiceExample.text(Optional.of("service.schema.json"));
    assertThat(SCHEMA.validate(JSON.valueToTree(new Yaml().load(text)))).isEmpty();
    assertThat(ServiceFile.read(text, "web.yaml").processes()).containsOnlyKeys("web");
    assertThat(text).startsWith("# yaml-language-server: $schema=service.schema.json\n");
  }

  @Test
  void describesEveryField() {
    for (var type :
        List.of(
            ServiceFile.class,
            ServiceProcess.class,
            ServiceTask.class,
            ServiceUpdate.class,
            ServicePlacement.class,
            ServiceImage.class,
            ServiceTemplate.class,
            ServiceLimits.class,
            ServiceHealth.class,
            ServiceProbe.class)) {
      assertThat(type.getRecordComponents())
          .as(type.getSimpleName())
          .allMatch(it -> it.isAnnotationPresent(Described.class));
    }
  }
}
