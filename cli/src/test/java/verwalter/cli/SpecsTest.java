package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vw scheduler test}. */
class SpecsTest {
  @TempDir private Path directory;
  private final Shell shell = new Shell();

  private void write(String path, String text) throws IOException {
    var file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private int test(String... more) {
    var words = new java.util.ArrayList<>(java.util.List.of("scheduler", "test"));
    words.add(directory.toString());
    words.addAll(java.util.List.of(more));
    return shell.vw(words.toArray(String[]::new));
  }

  @Test
  void passingSpecsExitWithZero() throws IOException {
    write("main.lua", "return {scheduler = function() end, double = function(x) return 2 * x end}");
    write(
        "spec/deep/main_spec.lua",
        """
        local main = require "main"
        describe("main", function()
          it("doubles", function() assert.equal(4, main.double(2)) end)
          it("has no os", function() assert.is_nil(os) end)
        end)
        """);

    assertThat(test()).isZero();
    assertThat(shell.out())
        .isEqualTo("ok       main doubles\nok       main has no os\n2 passed, 0 failed\n");
  }

  @Test
  void failingSpecReportsPlaceAndDifference() throws IOException {
    write(
        "spec/a_spec.lua",
        """
        describe("tables", function()
          it("differ", function()
            assert.same({web = {worker = 2}}, {web = {worker = 3}})
          end)
        end)
        """);

    assertThat(test()).isEqualTo(1);
    assertThat(shell.out())
        .contains("FAILED   tables differ")
        .contains("spec/a_spec.lua:3: expected values to be the same")
        .contains("- .web.worker = 2")
        .contains("+ .web.worker = 3")
        .contains("0 passed, 1 failed");
  }

  @Test
  void endlessSpecFailsAndNextOneRuns() throws IOException {
    write(
        "spec/a_spec.lua",
        """
        it("loops", function() while true do end end)
        it("goes on", function() assert(true) end)
        """);

    assertThat(test()).isEqualTo(1);
    assertThat(shell.out())
        .contains("spec/a_spec.lua:1: instruction budget of")
        .contains("ok       goes on");
  }

  @Test
  void unparsableFileDoesNotStopOthers() throws IOException {
    write("spec/a_spec.lua", "x = = 1");
    write("spec/b_spec.lua", "it('holds', function() end)");

    assertThat(test()).isEqualTo(1);
    assertThat(shell.out()).contains("spec/a_spec.lua:1:").contains("1 passed, 1 failed");
  }

  @Test
  void filterSelectsByName() throws IOException {
    write("spec/a_spec.lua", "it('one', function() error('x') end) it('two', function() end)");

    assertThat(test("--filter", "two")).isZero();
    assertThat(shell.out()).contains("1 passed, 0 failed");
  }

  @Test
  void printsJson() throws IOException {
    write("spec/a_spec.lua", "it('one', function() assert.equal(1, 2) end)");

    assertThat(test("-o", "json")).isEqualTo(1);
    assertThat(shell.out())
        .contains("\"name\": \"one\"")
        .contains("\"passed\": false")
        .contains("\"place\": \"spec/a_spec.lua:1\"")
        .contains("\"expected\": \"1\"");
  }

  @Test
  void directoryWithoutSpecsIsError() {
    assertThat(test()).isEqualTo(1);
    assertThat(shell.err()).contains("no spec/**/*_spec.lua below " + directory);
  }
}
