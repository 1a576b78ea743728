package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;

@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class RendererTest {
  @TempDir(factory = MemoryDirectory.class)
  Path templates;

  private final Renderer renderer = new Renderer(Path.of("/"));

  private static Map<String, Object> variables() {
    var variables = new HashMap<String, Object>();
    variables.put("role", "shop");
    variables.put("text", "{{ role }} <&>\"'");
    variables.put("nothing", null);
    variables.put("yes", true);
    variables.put("no", false);
    variables.put("zero", 0L);
    variables.put("half", 0.5);
    variables.put("list", List.of("x", "y", "z"));
    variables.put("none", List.of());
    variables.put("map", Map.of("k2", Map.of("v", 2L), "k1", Map.of("v", 1L)));
    variables.put("long", IntStream.range(0, 300).boxed().toList());
    return variables;
  }

  private String render(String template, String text) throws Exception {
    Trees.write(templates, template, text.replace("\\n", "\n"));
    Trees.write(templates, "a.render.yaml", "templates: {x: " + template + "}");
    return renderer
        .render(templates, "shop", variables())
        .files()
        .getOrDefault("a.render.yaml", new TreeMap<>())
        .getOrDefault("x", "");
  }

  private String problem(String template, String text) {
    var failed = catchThrowableOfType(RenderFailed.class, () -> render(template, text));
    return failed == null ? "none" : String.valueOf(failed.getMessage());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "t.j2   => {{ text }}                                     => `{{ role }} <&>\"'`",
        "t.j2   => [{{ nothing }}] {{ yes }} {{ half }} {{ zero }} => [None] True 0.5 0",
        "t.j2   => {{ list }} {{ list[1] }} {{ list[-1] }} {{ list | length }} => ['x', 'y', 'z'] y z 3",
        "t.j2   => {% for k in map %}{{ k }} {% endfor %}. => k1 k2 .",
        "t.j2   => [{% print nothing %}] {% print yes %} {% print map.k1.v+1 %} => [None] True 2",
        "t.j2   => {% for k, v in map.items() %}{{ k }}{{ v.v }} {% endfor %}. => k11 k22 .",
        "t.j2   => {% if nope %}a{% elif nope.x %}b{% else %}c{% endif %} => c",
        "t.j2   => {{ nope | default('d') }} {{ map.nope | d('e') }} {{ no | default('f') }} {{ no | default('f', true) }} => d e False f",
        "t.j2   => {% if nope | default(false) %}a{% else %}b{% endif %} => b",
        "t.j2   => {{ nope is defined }} {{ map.k1 is defined }} {{ map.nope is undefined }} {{ nothing is defined }} => False True True True",
        "t.j2   => {% set x = nothing %}{{ x }}[{{ map.k1.v + 1 }}] => None[2]",
        "t.j2   => {% macro m(a, b='q') %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }} {{ m(b=2, a=3) }} => 1q 32",
        "t.j2   => {% for x in none %}{{ x }}{% endfor %}. => .",
        "t.j2   => {{ map.keys() | join(',') }} {{ map.get('k1').v }} => k1,k2 1",
        "t.j2   => {% raw %}{{ nope }}{% endraw %} => {{ nope }}",
        "t.hbs  => {{text}} {{{text}}} [{{nothing}}] => `{{ role }} <&>\"' {{ role }} <&>\"' []`",
        "t.hbs  => {{#each map}}{{@key}}{{v}}{{/each}} {{#if zero}}a{{else}}b{{/if}} {{#if none}}a{{else}}b{{/if}} => k11k22 b b",
        "t.hbs  => {{#each list as |item i|}}{{i}}{{item}} {{/each}}{{list.[0]}} {{#unless no}}u{{/unless}} => 0x 1y 2z x u",
        "t.hbs  => {{#each nope}}a{{else}}b{{/each}} {{#with nope}}a{{else}}b{{/with}} => b b",
      })
  void expressionRendersTo(String template, String text, String expected) throws Exception {
    assertThat(render(template, text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "t.j2   => \\n{{ rolle }}            => :2:4: undefined variable `rolle`; did you mean role?",
        "t.j2   => {{ 'a' ~ nope }}          => :1:10: undefined variable `nope`",
        "t.j2   => {{ nope.x.y }}            => :1:4: undefined variable `nope`",
        "t.j2   => {{ map.k3.v }}            => :1:8: undefined variable `k3`; did you mean k1?",
        "t.j2   => {{ list[5] }}             => :1:1: there is no item 5 in a list of 3",
        "t.j2   => {{ nope or 'x' }}         => :1:4: undefined variable `nope`",
        "t.j2   => {% for x in nope %}{% endfor %} => :1:13: undefined variable `nope`",
        "t.j2   => {% set x = nope %}        => :1:12: undefined variable `nope`",
        "t.j2   => {% do nope %}             => :1:7: undefined variable `nope`",
        "t.j2   => {% cycle nope %}          => :1:1: Jinja has no tag `cycle`",
        "t.j2   => {% print nope %}          => :1:10: undefined variable `nope`",
        "t.j2   => {% macro m(a=nope) %}{{ a }}{% endmacro %}{{ m() }} => :1:14: undefined variable `nope`",
        "t.j2   => {% macro m() %}{% set x = 1 %}x{% endmacro %}{{ nope ~ m() }} => :1:49: undefined variable `nope`",
        "t.j2   => {% macro m() %}\\n{{ nope }}{% endmacro %}{{ m() }} => :2:4: undefined variable `nope`",
        "t.j2   => {{ role.class.name }}     => :1:9: undefined variable `class`",
        "t.j2   => {{ role.getClass() }}     => :1:1: a text has no method `getClass` here",
        "t.j2   => {{ role | render }}     => :1:11: there is no filter `render`",
        "t.j2   => {{ today() }}             => :1:1: there is no function `today`",
        "t.j2   => {{ role | nosuch }}     => :1:11: there is no filter `nosuch`",
        "t.j2   => {{ role is nosuch }}      => :1:12: there is no test `nosuch`",
        "t.j2   => {{ nosuch(1) }}           => :1:1: ",
        "t.j2   => {{ 1 + }}                 => :1:7: Error parsing '1 +': syntax error, encountered '}'",
        "t.j2   => {% include '/etc/passwd' %} => :1:1: there is no template `/etc/passwd` in the template directory",
        "t.j2   => {% include '../x' %}      => :1:1: there is no template `../x` in the template directory",
        "t.j2   => {% include 't.j2' %}      => :1:1: ",
        "t.j2   => {% if role %}             => :1:1: ",
        "t.j2   => {{ role }} {{ rolle }}    => :1:15: undefined variable `rolle`",
        "t.j2   => ä{{ nope ~ 'nope' }}      => :1:2: undefined variable `nope`",
        "t.j2   => {{ nope ~ map.nope }}     => :1:1: undefined variable `nope`",
        "t.j2   => {{ True }}{{\\n1+2 + nope }} => :2:7: undefined variable `nope`",
        "t.j2   => {{ list.0 }}{{ list.1 ~ nope }} => :1:25: undefined variable `nope`",
        "t.j2   => {{ 1+1 }}{{ nope if yes }} => :1:13: undefined variable `nope`",
        "t.j2   => {% raw %}{{ x }}{% endraw %} {{ nope }} => :1:33: undefined variable `nope`",
        "t.j2   => {% set x = 'a\\nb' %}\\n{{ nope }} => :3:4: undefined variable `nope`",
        "t.j2   => {{ map['k3'].v }}         => :1:9: undefined variable `k3`",
        "t.j2   => {{ map[text] }} => :1:1: undefined variable",
        "t.j2   => {{ map[role] ~ map.shop }} => :1:1: undefined variable `shop`",
        "t.j2   => {% for x in list %}\\n  {{ x }}{{ x ~ nope }}{% endfor %} => :2:17: undefined variable `nope`",
        "t.j2   => {% if no %}{% elif role | nosuch %}{% endif %} => :1:27: there is no filter `nosuch`",
        "t.j2   => {% if no %}x{% elif 1 is nosuch %}y{% endif %} => :1:26: there is no test `nosuch`",
        "t.j2   => {% if yes %}\\n{{ role }}\\n{% endif %}{{ role | nosuch }} => :3:22: there is no filter `nosuch`",
        "t.j2   => {% macro m() %}a\\nb{{ 1 }}{% endmacro %}\\n\\n{{ m() | nosuch }} => :4:10: there is no filter `nosuch`",
        "t.j2   => x{% foo %}                => :1:2: ",
        "t.j2   => {{ role role }}           => :1:9: Error parsing",
        "t.j2   => \\n {{ 1+ }}              => :2:7: Error parsing",
        "t.j2   => {% if 1 + %}{% endif %}   => :1:10: Error parsing",
        "t.j2   => x{% for x in list %}      => :1:2: ",
        "t.j2   => x{% endfor %}             => :1:2: ",
        "t.j2   => x{{ role                  => :1:2: ",
        "t.j2   => x{{-}}                    => :1:2: cannot be parsed",
        "t.j2   => {{ 'a\\'b' ~ nope }}       => :1:13: undefined variable `nope`",
        "t.j2   => x{% %}                    => :1:2: ",
        "t.hbs  => \\n {{rolle}}             => :2:3: undefined variable `rolle`; did you mean role?",
        "t.hbs  => {{map.k3}}                => :1:2: undefined variable `map.k3`; did you mean map.k1?",
        "t.hbs  => {{lookup map \"k3\"}}     => :1:2: undefined variable `k3`; did you mean k1?",
        "t.hbs  => {{#each map}}{{nope}}{{/each}} => :1:15: undefined variable `nope`",
        "t.hbs  => {{role.class}}            => :1:2: undefined variable `role.class`",
        "t.hbs  => \\n{{#iff role}}{{/iff}}  => :2:3: there is no helper `iff`; there are each, escape, if, log, lookup, raw, unless, with; did you mean if?",
        "t.hbs  => {{> ../../etc/passwd}}    => :1:4: ",
        "t.hbs  => {{> t.hbs}}               => :1:4: infinite loop detected, partial 't.hbs' is calling itself",
        "t.hbs  => {{include \"x\"}}         => :1:2: there is no helper `include`",
        "t.hbs  => {{#each role}}{{/each}}   => :1:3: #each takes a list or a map, not `shop`",
      })
  void expressionFailsWith(String template, String text, String expected) {
    assertThat(problem(template, text)).startsWith(template + expected);
  }

  @Test
  void reportsErrorAtPositionInIncludedTemplate() throws Exception {
    Trees.write(templates, "m.j2", "\n{% macro f(x) %}\n{{ x }} {{ nope }}{% endmacro %}");
    Trees.write(templates, "base.j2", "<{% block a %}{% endblock %}>\n{{ 1 ~ rolle }}");
    assertThat(problem("t.j2", "{% import 'm.j2' as m %}{{ m.f(1) }}")).startsWith("m.j2:3:12: ");
    assertThat(problem("t.j2", "{% from 'm.j2' import f %}\n{{ f(1) | nosuch }}"))
        .isEqualTo("t.j2:2:11: there is no filter `nosuch`");
    assertThat(problem("t.j2", "{% from 'm.j2' import f %}\n{{ f(1) ~ nope }}"))
        .startsWith("m.j2:3:12: undefined variable `nope`")
        .contains("t.j2:2:11: undefined variable `nope`");
    assertThat(problem("t.j2", "{% extends 'base.j2' %}\n{% block a %}{{ nope }}{% endblock %}"))
        .contains("base.j2:2:8: undefined variable `rolle`")
        .contains("t.j2:2:17: undefined variable `nope`");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @Timeout(20)
  @CsvSource(
      delimiterString = "=>",
      value = {
        "t.j2  => {% for a in long %}{% for b in long %}{% for c in long %}{{ c }}{% endfor %}{% endfor %}{% endfor %} => takes more than 1000000 steps",
        "t.j2  => {% for a in long %}{% for b in long %}{% for c in long %}{% endfor %}{% endfor %}{% endfor %} => takes more than",
        "t.j2  => {% macro m(n) %}{% for a in long %}{{ m(n + 1) }}{% endfor %}{% endmacro %}{{ m(0) }} => ",
        "t.j2  => {% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(0) }} => ",
        "t.j2  => {% set ns = namespace(s='xxxxxxxxxx') %}{% for a in long %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s | length }} => ",
        "t.j2  => {% for a in range(999999999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %} => ",
        "t.j2  => {% for a in long %}{% for b in long %}{{ '%s' }}0123456789012345678901234567890123456789012345678901234567890{% endfor %}{% endfor %} => ",
        "t.hbs => {{#each long}}{{#each ../long}}{{#each ../../long}}{{this}}{{/each}}{{/each}}{{/each}} => takes more than 1000000 steps to render",
        "t.hbs => {{#each long}}{{#each ../long}}0123456789012345678901234567890123456789012345678901234567890{{/each}}{{/each}} => produces more than 4194304 characters",
      })
  void stopsTemplateOverLimits(String template, String text, String expected) {
    assertThat(problem(template, text))
        .isNotEqualTo("none")
        .contains(expected == null ? "" : expected);
  }

  @Test
  @Timeout(20)
  void deepNestingIsErrorWithoutCrash() throws Exception {
    assertThat(problem("t.j2", "{% if yes %}".repeat(20000) + "{% endif %}".repeat(20000)))
        .startsWith("t.j2:");
    Files.delete(templates.resolve("t.j2"));
    assertThat(problem("t.hbs", "{{#if yes}}".repeat(20000) + "{{/if}}".repeat(20000)))
        .startsWith("t.hbs");
    Files.delete(templates.resolve("t.hbs"));
    assertThat(problem("t.j2", "{{ " + "(".repeat(20000) + "1" + ")".repeat(20000) + " }}"))
        .startsWith("t.j2:");
  }

  @Test
  void skipsHiddenFilesBackupsAndLinkedDirectories() throws Exception {
    for (var name : List.of(".h.j2", "b.j2~", "b.j2.bak", "#c.j2#", ".d/x.j2", "e~/x.j2")) {
      Trees.write(templates, name, "{% broken");
    }
    var elsewhere = templates.resolveSibling(templates.getFileName() + "-elsewhere");
    Trees.write(elsewhere, "x.j2", "{% no");
    Files.createSymbolicLink(templates.resolve("linked"), elsewhere);
    assertThat(render("t.j2", "fine")).isEqualTo("fine");
    Trees.delete(elsewhere);
  }

  @Test
  void refusesLinksThatLeadOutside() throws Exception {
    Files.createSymbolicLink(templates.resolve("inside.j2"), Path.of("t.j2"));
    assertThat(render("t.j2", "fine")).isEqualTo("fine");
    Files.createSymbolicLink(templates.resolve("passwd.j2"), Path.of("/etc/passwd"));
    assertThat(problem("t.j2", "fine"))
        .isEqualTo("passwd.j2: is a link that leads outside the template directory");
  }

  @Test
  void refusesBinaryAndOversizedFiles() throws Exception {
    Files.write(templates.resolve("b.j2"), new byte[] {'a', (byte) 0xff});
    Files.write(templates.resolve("c.j2"), new byte[(1 << 20) + 1]);
    assertThat(problem("t.j2", "fine"))
        .isEqualTo("b.j2: is not UTF-8\nc.j2: is larger than 1048576 bytes");
  }

  @Test
  void missingDirectoryIsError() {
    var failed =
        catchThrowableOfType(
            RenderFailed.class,
            () -> renderer.render(templates.resolve("none"), "shop", variables()));
    assertThat(failed).hasMessageContaining("none: cannot read the template directory");
  }

  @Test
  void compilesChangedTemplatesAgain() throws Exception {
    Trees.write(templates, "p.hbs", "1");
    Trees.write(templates, "q.j2", "1");
    assertThat(render("t.hbs", "{{> p.hbs}}")).isEqualTo("1");
    assertThat(render("t.j2", "{% include 'q.j2' %}")).isEqualTo("1");
    Trees.write(templates, "p.hbs", "2");
    Trees.write(templates, "q.j2", "2");
    assertThat(render("t.hbs", "{{> p.hbs}}")).isEqualTo("2");
    assertThat(render("t.j2", "{% include 'q.j2' %}")).isEqualTo("2");
    assertThat(render("t.j2", "3")).isEqualTo("3");
  }
}
