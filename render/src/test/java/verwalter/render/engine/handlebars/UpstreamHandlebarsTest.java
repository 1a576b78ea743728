package verwalter.render.engine.handlebars;

import verwalter.render.engine.UpstreamComparison;

class UpstreamHandlebarsTest extends UpstreamComparison {
  UpstreamHandlebarsTest() {
    super(new HandlebarsLanguage(), "t.hbs");
  }
}
