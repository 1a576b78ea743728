package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.cache.ConcurrentMapTemplateCache;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.io.TemplateSource;
import java.io.IOException;

/** Caches compiled partials whose uses are counted. */
final class CountedPartials implements TemplateCache {
  private final TemplateCache compiled = new ConcurrentMapTemplateCache();

  @Override
  public Template get(TemplateSource source, Parser parser) throws IOException {
    return new CountedTemplate(compiled.get(source, parser));
  }

  @Override
  public void clear() {
    compiled.clear();
  }

  @Override
  public void evict(TemplateSource source) {
    compiled.evict(source);
  }

  @Override
  public TemplateCache setReload(boolean reload) {
    return this;
  }
}
