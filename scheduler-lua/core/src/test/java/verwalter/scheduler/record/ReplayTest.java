package verwalter.scheduler.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.DecisionRecord;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.Program;
import verwalter.scheduler.lua.vm.VmEngine;

/** Recorded decisions replay byte for byte. */
class ReplayTest {
  private static final int RUNS = 1_000;

  /** Distributes roles over nodes, keeps placements, handles actions, and calculates. */
  private static final String MAIN =
      """
      local json = require "verwalter/json"
      local function sorted(map)
        local keys = {}
        for key in pairs(map) do keys[#keys + 1] = key end
        table.sort(keys)
        return keys
      end
      return {scheduler = function(input)
        local data = {roles = json.object{}, nodes = json.object{}, state = json.object{}}
        local before = (input.parents[1] or {}).state or {}
        local hosts = sorted(input.nodes)
        for _, host in ipairs(hosts) do data.nodes[host] = {roles = json.object{}} end
        local requested = {}
        for id, action in pairs(input.actions) do requested[action.button.role] = id end
        local weight = 0.1
        for role, metadata in pairs(input.runtime) do
          local state = before[role] or {age = 0}
          local count = metadata.count + (requested[role] and 1 or 0)
          for i = 1, count do
            local host = hosts[(i * 7 + #role + (input.now // 1000) % 3) % #hosts + 1]
            local roles = data.nodes[host].roles
            roles[role] = roles[role] or {version = metadata.version, count = 0}
            roles[role].count = roles[role].count + 1
          end
          weight = weight * 1.1 + count / 3
          data.roles[role] = {weight = weight, count = count}
          data.state[role] = {age = state.age + 1, random = math.random(1000)}
          reason(role, "count is " .. count)
        end
        return json.encode(data), "now is " .. input.now
      end}
      """;

  @TempDir private Path scheduler;
  @TempDir private Path archives;

  private static Map<String, Object> input(int run, Random random, Map<String, Object> parent) {
    var nodes = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 3 + random.nextInt(8); i++) {
      nodes.put("n" + random.nextInt(20), Map.of("ready", random.nextBoolean()));
    }
    var runtime = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 2 + random.nextInt(6); i++) {
      var version = "v" + random.nextInt(5);
      runtime.put(
          "role-" + random.nextInt(30),
          Map.of("count", (long) random.nextInt(9), "version", version));
    }
    var actions = new LinkedHashMap<String, Object>();
    if (random.nextInt(3) == 0) {
      actions.put(
          "" + (1_000_000 + run),
          Map.of("button", Map.of("role", runtime.keySet().iterator().next(), "x", 0.1 + run)));
    }
    var input = new LinkedHashMap<String, Object>();
    input.put("now", 1_700_000_000_000L + run * 5_000L);
    input.put("parents", parent.isEmpty() ? List.of() : List.of(parent));
    input.put("actions", actions);
    input.put("runtime", runtime);
    input.put("nodes", nodes);
    return input;
  }

  private static LuaScheduler load(Code code) throws Scheduler.Failed {
    return LuaScheduler.load(code, Budget.DEFAULT, new VmEngine(), Program.THREADS);
  }

  @Test
  void thousandRecordedDecisionsReplayByteForByte() throws Exception {
    var code = Code.read(new Program(scheduler, new VmEngine()).main(MAIN).directory());
    var recorded = DecisionArchive.open(archives, new RecordLimits(RUNS, 1L << 30), warning -> {});
    recorded.know(code);
    var random = new Random(1);
    Map<String, Object> parent = Map.of();
    try (var program = load(code)) {
      for (int run = 0; run < RUNS; run++) {
        var input = input(run, random, parent);
        var decision = program.decide(input);
        parent = decision.data();
        recorded.add(
            new DecisionRecord(
                Instant.ofEpochMilli((Long) input.get("now")),
                program.code(),
                input,
                Optional.of(decision.data()),
                "",
                decision.log(),
                decision.instructions(),
                Duration.ZERO,
                decision.reasons(),
                List.of()));
      }
    }

    var archive = DecisionArchive.open(archives, new RecordLimits(RUNS, 1L << 30), warning -> {});
    assertThat(archive.newestFirst()).hasSize(RUNS);
    var kept =
        CodeText.unpack(new ByteArrayInputStream(archive.packedCode(code.hash()).orElseThrow()));
    try (var program = load(kept)) {
      for (var entry : archive.newestFirst()) {
        var record = archive.read(entry);
        var again = program.decide(record.input());
        assertThat(Json.canonical(again.data()))
            .isEqualTo(Json.canonical(record.output().orElseThrow()));
        assertThat(again.log()).isEqualTo(record.log());
        assertThat(again.instructions()).isEqualTo(record.instructions());
        assertThat(again.reasons()).isEqualTo(record.reasons());
      }
    }
  }

  @Test
  void orderOfMapsInInputDoesNotAffectDecision() throws Exception {
    var code = Code.read(new Program(scheduler, new VmEngine()).main(MAIN).directory());
    var random = new Random(2);
    try (var program = load(code)) {
      for (int run = 0; run < 200; run++) {
        var input = input(run, random, Map.of());
        var once = program.decide(input);
        var again = program.decide(Json.object(shuffled(input, random)));
        assertThat(Json.canonical(again.data())).isEqualTo(Json.canonical(once.data()));
        assertThat(again.log()).isEqualTo(once.log());
        assertThat(again.reasons()).isEqualTo(once.reasons());
      }
    }
  }

  private static Object shuffled(Object value, Random random) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    var keys = new ArrayList<Object>(map.keySet());
    Collections.shuffle(keys, random);
    var shuffled = new LinkedHashMap<Object, Object>();
    keys.forEach(key -> shuffled.put(key, shuffled(map.get(key), random)));
    return shuffled;
  }
}
