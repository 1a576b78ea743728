package verwalter.scheduler.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.vm.VmEngine;
import verwalter.scheduler.record.CodeText;

final class CodeTest {
  private static final int LARGEST = 16 << 20;

  @TempDir Path directory;

  private void write(String name, byte[] bytes) throws IOException {
    var file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private Object role() throws Failed {
    var budget = Budget.DEFAULT.withMemory(64 << 20);
    try (var any =
        WasmScheduler.loadAny(Code.read(directory), budget, new VmEngine(), Modules.THREADS)) {
      return any.decide(Map.of("x", "a")).data().keySet().iterator().next();
    }
  }

  @Test
  void modulePrecedesLuaAtEachLoad() throws Exception {
    write(
        "main.lua",
        "return {scheduler = function() return '{\"lua\": 1}', '' end}"
            .getBytes(StandardCharsets.UTF_8));
    assertThat(role()).isEqualTo("lua");
    var module = Modules.code(Code.SCHEDULER, "behaviours").files().get(Code.SCHEDULER);
    write(Code.SCHEDULER, module.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(role()).isEqualTo("runs");
    Files.delete(directory.resolve(Code.SCHEDULER));
    assertThat(role()).isEqualTo("lua");
  }

  @Test
  void unreadableModuleIsNotReplacedByLua() throws Exception {
    write("main.lua", "return {}".getBytes(StandardCharsets.UTF_8));
    write(Code.SCHEDULER, new byte[LARGEST + 1]);
    assertThatThrownBy(this::role)
        .isInstanceOf(Failed.class)
        .hasMessageContaining("'scheduler.wasm' is longer than 16777216 bytes");
  }

  @Test
  void readsOnlyTheTwoModules() throws Exception {
    write("scheduler.wasm", new byte[] {1});
    write("query.wasm", new byte[] {2});
    write("other.wasm", new byte[] {3});
    write("below/query.wasm", new byte[] {4});
    assertThat(Code.read(directory).files())
        .isEqualTo(Map.of("scheduler.wasm", "\u0001", "query.wasm", "\u0002"));
  }

  @Test
  void recordsLargestModule() throws Exception {
    var bytes = new byte[LARGEST];
    new Random(1).nextBytes(bytes);
    write(Code.SCHEDULER, bytes);
    var code = Code.read(directory);
    var kept = CodeText.unpack(new ByteArrayInputStream(CodeText.pack(code)));
    assertThat(kept.equals(code)).isTrue();
    assertThat(kept.hash()).isEqualTo(code.hash());
  }
}
