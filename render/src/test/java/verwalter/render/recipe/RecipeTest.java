package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.RenderFailed;
import verwalter.render.engine.TemplateDirectory;

class RecipeTest {
  private static final TemplateDirectory DIRECTORY = directory();

  private static TemplateDirectory directory() {
    var files = new TreeMap<String, String>();
    for (var name : List.of("conf.j2", "sub/conf.hbs", "old.trm", "common.tera")) {
      files.put(name, "");
    }
    return new TemplateDirectory(files);
  }

  private static Recipe parse(String text) throws RenderFailed {
    return Recipe.parse("sub/a.render.yaml", text, DIRECTORY);
  }

  private static String problems(String text) {
    var failed = catchThrowableOfType(RenderFailed.class, () -> parse(text));
    return failed == null ? "none" : String.valueOf(failed.getMessage());
  }

  private static List<List<String>> words(String text) throws RenderFailed {
    return parse(text).commands().stream().map(Command::words).toList();
  }

  @Test
  void parsesEveryCommand() throws Exception {
    var text =
        """
        templates:
          conf: conf.hbs
          my-main: ../conf.j2
          _x: ./conf.hbs
        commands:
        - !Copy {src: "{{ files.conf }}", dest: "/etc/{{role}}", mode: 0o640, _note: ignored}
        - !Copy
          src: "{{files.my-main}}"
          dest: "/{{ not a name }} {{.}}"
        - !Cmd [echo, "{{ role }}", 'null', "{{ config_dir }}"]
        - !RootCommand
          - systemctl
          - reload
        - !Sh |
            echo 1
            echo 2
        - !RootCommand [/bin/lithos_switch, --verbose, --master=/x, "{{ role }}", "{{ files.conf }}"]
        _ignored: {anything: [1]}
        """
            .replace("{{.}}", "{{ x y }}");
    assertThat(words(text))
        .containsExactly(
            List.of("Copy", "{{ files.conf }}", "/etc/{{role}}", "0640"),
            List.of("Copy", "{{files.my-main}}", "/{{ not a name }} {{ x y }}", "default mode"),
            List.of("Cmd", "echo", "{{ role }}", "null", "{{ config_dir }}"),
            List.of("RootCommand", "systemctl", "reload"),
            List.of("Sh", "echo 1\necho 2\n"),
            List.of("SwitchProcesses", "{{ role }}", "{{ files.conf }}"));
    assertThat(parse(text).templates().values())
        .extracting(Recipe.Template::path)
        .containsExactlyInAnyOrder("sub/conf.hbs", "conf.j2", "sub/conf.hbs");
  }

  @Test
  void parsesCommandsForSeveralFiles() throws Exception {
    var text =
        """
        templates: {conf: conf.hbs}
        commands:
        - !SplitText
          section: '^=== (.+)$'
          validate: '^[a-z]+$'
          dest: "/etc/{{ role }}/(*).conf"
          mode: 0o600
        - !CleanFiles {pattern: "/etc/(*)/**/[!a]?.conf", keep_list: "{{ files.conf }}"}
        - !PeekLog "nginx/{{ role }}.log"
        - !Condition
          dirs_changed: ["/etc/{{ role }}", "{{ config_dir }}/x"]
          commands:
          - !Copy {dest: /etc/conf}
          - !Cmd [echo]
        - !Condition {}
        """;
    assertThat(words(text))
        .containsExactly(
            List.of(
                "SplitText",
                "{{ files.conf }}",
                "/etc/{{ role }}/(*).conf",
                "^=== (.+)$",
                "^[a-z]+$",
                "0600"),
            List.of("CleanFiles", "/etc/(*)/**/[!a]?.conf", "{{ files.conf }}"),
            List.of("PeekLog", "nginx/{{ role }}.log"),
            List.of("Condition", "/etc/{{ role }}", "{{ config_dir }}/x"),
            List.of("Condition"));
    assertThat(parse(text).commands().get(3).nested().stream().map(Command::words))
        .containsExactly(
            List.of("Copy", "{{ files.conf }}", "/etc/conf", "default mode"),
            List.of("Cmd", "echo"));
  }

  @Test
  void reportsLineOfUnknownNameInScript() {
    var text = "commands:\n- !Sh |\n    echo é {{ role }}\n    cat   {{ files.x }}\n";
    assertThat(problems(text)).startsWith("sub/a.render.yaml:4:11: unknown variable `files.x`");
  }

  @Test
  void acceptsEmptyRecipe() throws Exception {
    assertThat(parse("").commands()).isEmpty();
    assertThat(parse("# only a comment\n").commands()).isEmpty();
    assertThat(parse("templates:\ncommands:\n").commands()).isEmpty();
  }

  @Test
  void resolvesAnchorsMergesAndUnpackedLists() throws Exception {
    assertThat(
            words(
                """
                _common: &common {src: /a, dest: /b}
                _list: &list [x, y]
                commands:
                - !Copy {<<: *common, dest: /c}
                - !Cmd &more [echo, !*Unpack [1, 2], 3]
                """))
        .containsExactly(
            List.of("Copy", "/a", "/c", "default mode"), List.of("Cmd", "echo", "1", "2", "3"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "commands: [!Kopy {}]                | 1:12: unknown command !Kopy; known are CleanFiles, Cmd, Condition, Copy, PeekLog, RootCommand, Sh, SplitText; did you mean Copy?",
        "commands: [!Condition {commands: [!Condition {}]}] | 1:35: !Condition cannot stand in another one; known here are CleanFiles, Cmd, Copy, PeekLog, RootCommand, Sh, SplitText",
        "commands: [!Condition {commands: [!Copi {}]}] | 1:35: unknown command !Copi; known are CleanFiles, Cmd, Copy, PeekLog, RootCommand, Sh, SplitText; did you mean Copy?",
        "commands: [!Condition {dirs_change: [/a]}] | 1:24: unknown key `dirs_change`; known are commands, dirs-changed; did you mean dirs-changed?",
        "commands: [!Condition {dirs-changed: [a/b]}] | 1:39: `a/b` does not start with a directory that is absolute and written out",
        "commands: [!Condition {dirs-changed: /a}] | 1:38: a list is wanted here, not a text",
        "commands: [!Condition /a]           | 1:12: a mapping is wanted here, not a text",
        "commands: [!PeekLog '{{ nod }}/x']  | 1:22: unknown variable `nod`; known are config_dir, role",
        "commands: [!PeekLog [a]]            | 1:12: a text is wanted here, not a list",
        "commands: [!Copy {src: /a, dest: b}] | 1:34: `b` does not start with a directory that is absolute and written out",
        "commands: [!Copy {src: /a, dest: '{{ role }}/b'}] | 1:34: `{{ role }}/b` does not start with a directory that is absolute and written out",
        "commands: [!Copy {src: '{{ tmp_file }}', dest: /b}] | 1:25: unknown variable `tmp_file`; known are config_dir, role",
        "commands: [!CleanFiles {pattern: /a}] | 1:34: `pattern` needs parentheses around the part that is compared with the keep-list",
        "commands: [!CleanFiles {pattern: '/(*)'}] | 1:12: `keep-list` is missing",
        "commands: [!CleanFiles {keep_list: /a}] | 1:12: `pattern` is missing",
        "commands: [!CleanFiles {keep-lists: /a}] | 1:25: unknown key `keep-lists`; known are keep-list, pattern; did you mean keep-list?",
        "commands: [!CleanFiles {pattern: '/a/(*', keep-list: /x}] | 1:34: the pattern `/a/(*` has a `(` without its `)`",
        "commands: [!CleanFiles {pattern: '/a/*)', keep-list: /x}] | 1:34: the pattern `/a/*)` has a `)` without its `(`",
        "commands: [!CleanFiles {pattern: '/((*))', keep-list: /x}] | 1:34: the pattern `/((*))` has a group in a group",
        "commands: [!CleanFiles {pattern: '/(*)/[a', keep-list: /x}] | 1:34: the pattern `/(*)/[a` has a `[` without its `]`",
        "commands: [!CleanFiles {pattern: '/(*)/[z-a]', keep-list: /x}] | 1:34: the pattern `/(*)/[z-a]` has a range that ends before it begins",
        "commands: [!CleanFiles {pattern: '/(*)/a**', keep-list: /x}] | 1:34: the pattern `/(*)/a**` has a `**` that is not a whole part between slashes",
        "commands: [!CleanFiles {pattern: '/(**)', keep-list: /x}] | 1:34: the pattern `/(**)` ends in `**`, which matches directories; write `**/*`",
        "commands: [!CleanFiles {pattern: '(*)', keep-list: /x}] | 1:34: `(*)` does not start with a directory that is absolute and written out",
        "commands: [!SplitText {src: /a, dest: '/(*)', validate: x}] | 1:12: `section` is missing",
        "commands: [!SplitText {src: /a, dest: '/(*)', section: x}] | 1:12: `validate` is missing",
        "commands: [!SplitText {src: /a, section: x, validate: x}] | 1:12: `dest` is missing",
        "commands: [!SplitText {dest: '/(*)', section: x, validate: x}] | 1:12: `src` is missing; it can be left out only where the recipe has exactly one template",
        "commands: [!SplitText {src: /a, dest: '/a/*', section: x, validate: x}] | 1:39: `dest` needs exactly one group in parentheses, which stands for the section's name",
        "commands: [!SplitText {src: /a, dest: '/(*)/(*)', section: x, validate: x}] | 1:39: `dest` needs exactly one group in parentheses, which stands for the section's name",
        "commands: [!SplitText {src: /a, dest: '/*/(*)', section: x, validate: x}] | 1:39: `dest` may have wildcards only within its group",
        "commands: [!SplitText {src: /a, dest: '/(*)', section: '(', validate: x}] | 1:56: `(` is no regular expression: error parsing regexp: missing closing ): `(`",
        "commands: [!SplitText {src: /a, dest: '/(*)', section: x, validate: '+', mode: 644}] | 1:69: `+` is no regular expression: error parsing regexp: missing argument to repetition operator: `+`",
        "commands: [!SplitText {src: /a, dest: '/(*)', section: x, validate: x, mode: 644}] | 1:78: the mode 644 is decimal and would mean 0o1204; write 0o644",
        "commands: [{src: a}]                | 1:12: a command starts with its tag, like !Copy; known are CleanFiles, Cmd, Condition, Copy, PeekLog, RootCommand, Sh, SplitText",
        "commands: {a: b}                    | 1:11: a list is wanted here, not a mapping",
        "comands: []                         | 1:1: unknown key `comands`; known are commands, drift, guards, needs, templates; did you mean commands?",
        "templates: {a: b.j2}                | 1:16: there is no template `sub/b.j2`",
        "templates: {a: config.hbs}          | 1:16: there is no template `sub/config.hbs`; did you mean sub/conf.hbs?",
        "templates: {a: ../../x.j2}          | 1:16: `../../x.j2` leads outside the template directory",
        "templates: {a: /conf.j2}            | 1:16: `/conf.j2` is absolute; write it relative to this file",
        "templates: {a: x.txt}               | 1:16: the template `x.txt` has no ending that names an engine: handlebars, hbs, j2, jinja, tera, trimmer, trm",
        "templates: {a: ~}                   | 1:16: a text is wanted here, not null; quote it if you mean the word",
        "templates: {a: conf.hbs, a: b}      | 1:26: duplicate key `a`",
        "commands: [!Copy {src: /a}]         | 1:12: `dest` is missing",
        "commands: [!Copy {dest: /a}]        | 1:12: `src` is missing; it can be left out only where the recipe has exactly one template",
        "commands: [!Copy {scr: /a}]         | 1:19: unknown key `scr`; known are dest, mode, src; did you mean src?",
        "commands: [!Copy /a]                | 1:12: a mapping is wanted here, not a text",
        "commands: [!Cmd []]                 | 1:12: a command line needs at least the name of a program",
        "commands: [!Cmd echo]               | 1:12: a list is wanted here, not a text",
        "commands: [!Cmd [echo, [a]]]        | 1:24: a text is wanted here, not a list",
        "commands: [!Sh [a]]                 | 1:12: a text is wanted here, not a list",
        "commands: [!Sh '{{ files.conf }}']  | 1:17: unknown variable `files.conf`; known are config_dir, role",
        "commands: [!Sh '{{ rolle }}']       | 1:17: unknown variable `rolle`; known are config_dir, role; did you mean role?",
        "commands: [!Cmd [a, '{{ node }}']]  | 1:22: unknown variable `node`; known are config_dir, role",
        "commands: [!Cmd [lithos_switch, a]] | 1:12: lithos_switch takes a sandbox and a file, not 1 words",
        "commands: [!Cmd [lithos_switch, -x, a, b]] | 1:12: lithos_switch does not know the flag -x",
        "commands: [!Sh !*IncludeText a]     | 1:16: is not YAML: expected ',' or ']', but got <tag>",
        "templates: a: b                     | 1:13: is not YAML: mapping values are not allowed here",
        "commands: [!Cmd [a, !*Include b]]   | 1:21: including files is not supported",
        "commands: [                         | 2:1: is not YAML: expected the node content, but found '<stream end>'",
      })
  void errorsHavePositionAndSuggestion(String text, String problem) {
    assertThat(problems(text + "\n")).isEqualTo("sub/a.render.yaml:" + problem);
  }

  @Test
  void reportsAllErrorsAtOnce() {
    assertThat(problems("templates: {a: b.j2}\ncommands:\n- !X 1\n- !Sh '{{ files.a }} {{ y }}'\n"))
        .contains(
            ":1:16: ",
            ":3:3: ",
            ":4:22: unknown variable `y`; known are config_dir, files.a, role");
  }

  @Test
  void refusesExponentialAliases() {
    var text = new StringBuilder("_0: &a0 {x: y}\n");
    for (int i = 1; i <= 25; i++) {
      text.append("_%d: &a%d {<<: [*a%d, *a%d]}\n".formatted(i, i, i - 1, i - 1));
    }
    text.append("templates: {<<: *a25}\n");
    assertThat(problems(text.toString())).contains("values once its aliases are followed");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "0o644, 0644",
    "0o0, 0000",
    "0x1ff, 0777",
    "0b110000000, 0600",
    "420, 0644",
    "493, 0755",
    "384, 0600",
    "4_20, 0644",
    "0o4755, 4755",
    "'1 k', 1750",
    "0o6_44, 0644",
    "0, 0000",
  })
  void parsesModes(String text, String mode) throws Exception {
    assertThat(words("commands: [!Copy {src: /a, dest: /b, mode: " + text + "}]"))
        .containsExactly(List.of("Copy", "/a", "/b", mode));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0644   | the mode 0644 is decimal and would mean 0o1204; write 0o644",
        "644    | the mode 644 is decimal and would mean 0o1204; write 0o644",
        "0755   | the mode 0755 is decimal and would mean 0o1363; write 0o755",
        "600    | the mode 600 is decimal and would mean 0o1130; write 0o600",
        "00420  | the mode 00420 is decimal and would mean 0o644; write 0o420",
        "0o8    | `0o8` is not a mode: those go from 0 to 0o7777",
        "0o10000 | `0o10000` is not a mode: those go from 0 to 0o7777",
        "1M     | `1M` is not a mode: those go from 0 to 0o7777",
        "-1     | `-1` is not a mode: those go from 0 to 0o7777",
        "u+rw   | `u+rw` is not a number; a mode is written like 0o644",
        "99999999999999999999 | `99999999999999999999` is not a mode: those go from 0 to 0o7777",
      })
  void refusesUnintendedModes(String text, String problem) {
    assertThat(problems("commands: [!Copy {src: /a, dest: /b, mode: " + text + "}]"))
        .isEqualTo("sub/a.render.yaml:1:44: " + problem);
  }
}
