package verwalter.render.engine.jinja;

import verwalter.render.engine.MutatedTemplates;

class MutatedJinjaTest extends MutatedTemplates {
  MutatedJinjaTest() {
    super("jinja", "t.j2", line -> line.split(": ", 2)[1], JinjaEngine::new);
  }
}
