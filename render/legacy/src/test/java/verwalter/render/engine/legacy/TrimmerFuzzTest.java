package verwalter.render.engine.legacy;

import java.util.List;
import java.util.Random;
import verwalter.render.engine.TemplateFuzz;

class TrimmerFuzzTest extends TemplateFuzz {
  TrimmerFuzzTest() {
    super(
        new TrimmerLanguage(),
        "t.trm",
        List.of(
            "text ",
            "\n",
            "  ",
            "{{ $ }}",
            "{{- $ +}}",
            "{{ $ | h }}",
            "{{ $ and not $ or $ }}",
            "{{ $ + 1 * 2 }}",
            "{{ $ == $ }}",
            "{{ [$, {'a': $}][0] }}",
            "{# c #}",
            "{{",
            "}}",
            " ### c\n",
            " ##\n",
            "\n## if $\n",
            "\n  ## elif $\n",
            "\n## else\n",
            "\n## endif\n",
            "\n## for i in $\n",
            "\n    ## for k, v in $\n",
            "\n## skip if $\n",
            "\n## endfor\n",
            "\n## let x = $\n",
            "##",
            "|",
            "'",
            "\\",
            "[",
            ")",
            ".",
            "𝄞",
            "\r\n",
            "\t"),
        true);
  }

  @Override
  protected String head(Random random) {
    var headers = List.of("", "## syntax: indent\n", "## syntax: oneline\n", "## validate h: x*\n");
    return headers.get(random.nextInt(headers.size()))
        + "## filter h: builtin.html_entities\n".repeat(random.nextInt(2));
  }
}
