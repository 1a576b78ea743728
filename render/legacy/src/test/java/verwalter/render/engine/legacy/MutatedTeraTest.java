package verwalter.render.engine.legacy;

import verwalter.render.engine.MutatedTemplates;

class MutatedTeraTest extends MutatedTemplates {
  MutatedTeraTest() {
    super("tera", "t.tera", line -> line.split(" => ", 2)[0], TeraEngine::new);
  }
}
