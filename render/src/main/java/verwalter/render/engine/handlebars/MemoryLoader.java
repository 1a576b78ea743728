package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.StringTemplateSource;
import com.github.jknack.handlebars.io.TemplateSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.SortedMap;
import verwalter.render.engine.Nearest;

/** Finds partials only among the templates in memory. */
final class MemoryLoader extends AbstractTemplateLoader {
  private final SortedMap<String, String> sources;

  MemoryLoader(SortedMap<String, String> sources) {
    this.sources = sources;
  }

  @Override
  public TemplateSource sourceAt(String location) throws IOException {
    var text = sources.get(location);
    if (text == null) {
      throw new FileNotFoundException(
          "there is no template `"
              + location
              + "` in the template directory"
              + Nearest.hint(location, sources.keySet()));
    }
    return new StringTemplateSource(location, text);
  }

  @Override
  public String resolve(String location) {
    return location;
  }
}
