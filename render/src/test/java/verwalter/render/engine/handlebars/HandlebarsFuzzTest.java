package verwalter.render.engine.handlebars;

import java.util.List;
import verwalter.render.engine.TemplateFuzz;

class HandlebarsFuzzTest extends TemplateFuzz {
  HandlebarsFuzzTest() {
    super(
        new HandlebarsLanguage(),
        "t.hbs",
        List.of(
            "text ",
            "\n",
            "  ",
            "{{$}}",
            "{{{$}}}",
            "{{~$~}}",
            "{{this}}",
            "{{../$}}",
            "{{@key}}",
            "{{escape $}}",
            "{{lookup $ $}}",
            "{{#if $}}",
            "{{else}}",
            "{{/if}}",
            "{{#each $}}",
            "{{/each}}",
            "{{#each $ as |a b|}}",
            "{{#with $}}",
            "{{/with}}",
            "{{#unless $}}",
            "{{/unless}}",
            "{{! c }}",
            "{{{{raw}}}}",
            "{{{{/raw}}}}",
            "{{> t}}",
            "{{> p.hbs}}",
            "{{#*inline \"t\"}}",
            "{{/inline}}",
            "{{#$}}",
            "{{/$}}",
            "{{^",
            "}}",
            "\\",
            "\"",
            "𝄞",
            "(",
            "[",
            "|"),
        false);
  }
}
