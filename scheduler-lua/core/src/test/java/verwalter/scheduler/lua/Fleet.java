package verwalter.scheduler.lua;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The scheduler in {@code fleet/} and an input for it. */
public final class Fleet {
  private static final long NOW = 1_465_479_290_000L;

  public static void write(Path directory) throws IOException {
    Files.createDirectories(directory.resolve("lib"));
    for (var name : List.of("main.lua", "lib/versions.lua", "lib/ports.lua")) {
      Files.writeString(directory.resolve(name), text(name));
    }
  }

  public static String text(String name) throws IOException {
    try (var in = Fleet.class.getResourceAsStream("/fleet/" + name)) {
      if (in == null) {
        throw new IOException("no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  public static Map<String, Object> input() {
    var input = new LinkedHashMap<String, Object>();
    input.put("now", NOW);
    input.put("current_host", "alpha");
    input.put("current_id", "77985419c732412ea38b94db00000001");
    input.put(
        "parents",
        List.of(
            Map.of("state", Map.of("shop", state("v2.10.0", NOW - 5000), "blog", state("v1", 7L))),
            Map.of("state", Map.of("shop", state("v2.9.0", NOW - 9000)), "nodes", List.of())));
    input.put(
        "actions",
        Map.of(
            "1465479280000",
            button(Map.of("role", "shop", "action", "set_version", "version", "v2.9.0")),
            "1465479289000",
            button(Map.of("role", "shop", "action", "set_version", "version", "v3.0-rc1")),
            "1465479289500",
            Map.of("button", "broken")));
    input.put("runtime", runtime());
    input.put(
        "peers",
        Map.of(
            "0b", peer("beta", NOW - 1000),
            "0c", peer("gamma", NOW - 2000),
            "0d", peer("delta", null),
            "0e", peer("epsilon", NOW - 60_000)));
    input.put("metrics", Map.of());
    return input;
  }

  private static Map<String, Object> runtime() {
    var web = Map.of("image", "web.1f", "config", "/cfg/web.yaml", "instances", 5L, "port", true);
    var worker = Map.of("image", "web.1f", "config", "/cfg/worker.yaml", "instances", 2L);
    var release =
        Map.of("timestamp", 1_465_000_000L, "daemons", Map.of("web", web, "worker", worker));
    var newest = new HashMap<String, Object>(release);
    newest.put("ports", List.of("9000-9001", "9100-9199"));
    return Map.of(
        "shop", Map.of("v2.9.0", release, "v2.10.0", release, "v3.0-rc1", newest, "title", "Läden"),
        "blog", Map.of("v1", Map.of("daemons", Map.of("blog", Map.of("image", "blog.1")))),
        "full", Map.of("v1", Map.of("ports", List.of("80-80"), "daemons", Map.of("x", web))),
        "empty", Map.of("title", "no versions"));
  }

  private static Map<String, Object> state(String version, long changed) {
    return Map.of("version", version, "change_ts", changed);
  }

  private static Map<String, Object> button(Map<String, Object> button) {
    return Map.of("button", button);
  }

  private static Map<String, Object> peer(String host, @Nullable Long seen) {
    var peer = new HashMap<String, Object>();
    peer.put("hostname", host);
    peer.put("addr", "10.0.0.1:8379");
    peer.put("last_report_direct", seen);
    peer.put("errors", 0L);
    return peer;
  }

  /** An input with many nodes and roles. */
  public static Map<String, Object> large(int nodes, int roles) {
    var input = new LinkedHashMap<>(input());
    var peers = new LinkedHashMap<String, Object>();
    for (int i = 0; i < nodes; i++) {
      peers.put(Integer.toHexString(i), peer("node" + i, NOW - 1000));
    }
    var daemons = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 2; i++) {
      daemons.put("d" + i, Map.of("image", "i", "config", "/c", "instances", 500L, "port", true));
    }
    var runtime = new LinkedHashMap<String, Object>();
    for (int i = 0; i < roles; i++) {
      var release = Map.of("ports", List.of("9000-9999"), "daemons", daemons);
      runtime.put("role" + i, Map.of("v1", release, "v2", release));
    }
    input.put("peers", peers);
    input.put("runtime", runtime);
    return input;
  }

  /** The same value with the entries of every map in another order. */
  public static @Nullable Object shuffled(@Nullable Object value, Random random) {
    if (value instanceof Map<?, ?> map) {
      var keys = new ArrayList<Object>(map.keySet());
      Collections.shuffle(keys, random);
      var copy = new LinkedHashMap<Object, @Nullable Object>();
      keys.forEach(key -> copy.put(key, shuffled(map.get(key), random)));
      return copy;
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>();
      list.forEach(each -> copy.add(shuffled(each, random)));
      return copy;
    }
    return value;
  }

  private Fleet() {}
}
