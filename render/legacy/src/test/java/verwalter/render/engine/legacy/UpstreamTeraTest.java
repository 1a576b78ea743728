package verwalter.render.engine.legacy;

import verwalter.render.engine.UpstreamComparison;

class UpstreamTeraTest extends UpstreamComparison {
  UpstreamTeraTest() {
    super(new TeraLanguage(), "t.tera");
  }
}
