package verwalter.render.engine.legacy;

import verwalter.render.engine.UpstreamComparison;

class UpstreamTrimmerTest extends UpstreamComparison {
  UpstreamTrimmerTest() {
    super(new TrimmerLanguage(), "t.trm");
  }
}
