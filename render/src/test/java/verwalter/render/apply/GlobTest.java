package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;
import verwalter.render.recipe.Glob;

@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class GlobTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  @ParameterizedTest(name = "{0} on {1} captures {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "/etc/(*).conf        | /etc/a.conf       | a",
        "/etc/(*).conf        | /etc/a.b.conf     | a.b",
        "/etc/(*).conf        | /etc/.a.conf      | -",
        "/etc/(*).conf        | /etc/.conf        | -",
        "/etc/(*).conf        | /etc/x/a.conf     | -",
        "/etc/(*).conf        | /etc/a.config     | -",
        "/etc/(*).conf        | /etc/A.CONF       | -",
        "/etc/(*)             | /etc/             | -",
        "/etc/(*)             | /etc              | -",
        "/etc/.(*)            | /etc/.a           | a",
        "/etc/a(*)            | /etc/a            | ''",
        "/etc/(a?c)           | /etc/abc          | abc",
        "/etc/(a?c)           | /etc/ac           | -",
        "/etc/(?)             | /etc/é            | é",
        "/etc/(?)             | /etc/.            | -",
        "/etc/([a-c])         | /etc/b            | b",
        "/etc/([a-c])         | /etc/d            | -",
        "/etc/([!a-c])        | /etc/d            | d",
        "/etc/([!a-c])        | /etc/b            | -",
        "/etc/([!a])          | /etc/.            | -",
        "/etc/x([!a])y        | /etc/x/y          | -",
        "/etc/([]-])          | /etc/]            | ]",
        "/etc/([]-])          | /etc/-            | -",
        "/etc/[(](*)          | /etc/(a           | a",
        "/etc/[*](*)          | /etc/*a           | a",
        "/etc/[*](*)          | /etc/ba           | -",
        "/etc/(*)/*.conf      | /etc/a/b.conf     | a",
        "/etc/*/(*).conf      | /etc/a/b.conf     | b",
        "/etc/(*/*).conf      | /etc/a/b.conf     | a/b",
        "/etc/(**)/x          | /etc/x            | ''",
        "/etc/(**)/x          | /etc/a/x          | a",
        "/etc/(**)/x          | /etc/a/b/x        | a/b",
        "/etc/(**)/x          | /etc/a/.b/x       | -",
        "/etc/(**)/x          | /etc/ax           | -",
        "/etc/**/(*).d/**/x   | /etc/a.d/x        | a",
        "/etc/**/(*).d/**/x   | /etc/1/a.d/2/3/x  | a",
        "/(*)                 | /a                | a",
        "//etc//(*)           | /etc/a            | a",
        "/etc/(a)(*)          | /etc/ab           | a",
      })
  void patternMatches(String pattern, String path, String captured) throws Exception {
    var wanted = captured.equals("-") && !path.endsWith("-") ? null : captured;
    assertThat(Glob.parse(pattern).capture(path)).isEqualTo(Optional.ofNullable(wanted));
  }

  @Test
  void quotedTextMatchesOnlyItself() throws Exception {
    var odd = "/a*b?c[d]e(f)g!h{i}\\j";
    var glob = Glob.parse(Glob.quoted(odd) + "/(*)");
    assertThat(glob.capture(odd + "/x")).contains("x");
    assertThat(glob.groups()).isEqualTo(1);
    assertThat(glob.isWildOutsideGroups()).isFalse();
    assertThat(glob.filled("y")).contains(odd + "/y");
  }

  @ParameterizedTest(name = "{0} with {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "/etc/(*).conf   | a    | /etc/a.conf",
        "/etc/(*).conf   | ''   | -",
        "/etc/(*).conf   | .a   | -",
        "/etc/(*).conf   | a/b  | -",
        "/etc/(*).conf   | ..   | -",
        "/etc/(*)        | ..   | -",
        "/etc/(*)        | .    | -",
        "/etc/(*)        | a/.. | -",
        "/etc/(*)        | '/'  | -",
        "/etc/(*/*)      | a/b  | /etc/a/b",
        "/etc/(*/*)      | a/.. | -",
        "/etc/(*/*)      | ../a | -",
        "/etc/(**)/x     | a/b  | /etc/a/b/x",
        "/etc/(**)/x     | a/.. | -",
        "/etc/([a-z]*)   | 1    | -",
      })
  void nameMustMatchGroup(String pattern, String name, String path) throws Exception {
    assertThat(Glob.parse(pattern).filled(name))
        .isEqualTo(path.equals("-") ? Optional.empty() : Optional.of(path));
  }

  private void files(String... names) throws Exception {
    for (var name : names) {
      Trees.write(temp, name, "");
    }
  }

  private String found(String pattern) throws Exception {
    Run.Names names = name -> temp.toString();
    var captures = FilePattern.of("{{ config_dir }}/" + pattern, names).find();
    var found = new StringBuilder();
    captures.forEach((path, text) -> found.append(temp.relativize(path) + "=" + text + " "));
    return found.toString().strip();
  }

  @Test
  void findsMatchesOnDiskInOrder() throws Exception {
    files("b.conf", "a.conf", ".c.conf", "d.txt", "x/e.conf", "x/y/f.conf", ".z/g.conf", "é.conf");
    assertThat(found("(*).conf")).isEqualTo("a.conf=a b.conf=b é.conf=é");
    assertThat(found("**/(*).conf"))
        .isEqualTo("a.conf=a b.conf=b x/e.conf=e x/y/f.conf=f é.conf=é");
    assertThat(found("(**)/*.conf")).isEqualTo("a.conf= b.conf= x/e.conf=x x/y/f.conf=x/y é.conf=");
    assertThat(found("(*)/e.conf")).isEqualTo("x/e.conf=x");
    assertThat(found("(*)/none")).isEmpty();
    assertThat(found("none/(*)")).isEmpty();
    assertThat(found("a.conf/(*)")).isEmpty();
    assertThat(found("x/../(*)"))
        .isEqualTo("a.conf=a.conf b.conf=b.conf d.txt=d.txt x=x é.conf=é.conf");
    assertThatThrownBy(() -> found("(*)/../a.conf")).hasMessageContaining("leads outside");
  }

  @Test
  void findsLinksWithoutFollowingThem() throws Exception {
    files("real/a.conf");
    Files.createSymbolicLink(temp.resolve("link"), temp.resolve("real"));
    Files.createSymbolicLink(temp.resolve("loop"), temp);
    Files.createSymbolicLink(temp.resolve("dead.conf"), Path.of("nowhere"));
    assertThat(found("(*)/a.conf")).isEqualTo("real/a.conf=real");
    assertThat(found("**/(*).conf")).isEqualTo("dead.conf=dead real/a.conf=a");
    assertThat(found("(*)")).isEqualTo("dead.conf=dead.conf link=link loop=loop real=real");
    assertThat(found("link/(*).conf")).as("written out").isEqualTo("link/a.conf=a");
  }

  @Test
  void limitsVisitedFiles() throws Exception {
    files("a/1", "a/2", "b/1");
    var glob = Glob.parse(temp + "/b/(*)");
    assertThat(GlobWalk.find(glob, temp, 3)).isEqualTo(GlobWalk.find(glob, temp)).hasSize(1);
    assertThatThrownBy(() -> GlobWalk.find(glob, temp, 2))
        .hasMessage("more than 2 files and directories to look at below " + temp);
  }

  @Test
  void limitsMatchesToTenThousand() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Files.createFile(temp.resolve(i + ".x"));
    }
    Run.Names names = name -> temp.toString();
    assertThat(FilePattern.of("{{ config_dir }}/(*).x", names).find()).hasSize(10_000);
    Files.createFile(temp.resolve("more.x"));
    assertThatThrownBy(() -> found("(*).x"))
        .hasMessageContaining("more than 10000 files match " + temp);
  }
}
