package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.TypeSafeTemplate;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * A partial whose uses count as steps. Without that, partials that use others twice would take
 * exponential time.
 */
final class CountedTemplate implements Template {
  private static final String APPLIED_ONLY = "a partial is applied and nothing else";

  private final Template template;

  CountedTemplate(Template template) {
    this.template = template;
  }

  @Override
  public void apply(Context context, Writer writer) throws IOException {
    RenderState.of(context)
        .<Boolean, IOException>deeper(
            () -> {
              template.apply(context, writer);
              return true;
            });
  }

  @Override
  public String apply(Context context) throws IOException {
    var writer = RenderState.of(context).writer();
    apply(context, writer);
    return writer.toString();
  }

  @Override
  public void apply(Object context, Writer writer) throws IOException {
    apply((Context) context, writer);
  }

  @Override
  public String apply(Object context) throws IOException {
    return apply((Context) context);
  }

  @Override
  public String text() {
    return template.text();
  }

  @Override
  public String toJavaScript() {
    throw new UnsupportedOperationException(APPLIED_ONLY);
  }

  @Override
  public <T, S extends TypeSafeTemplate<T>> S as(Class<S> type) {
    throw new UnsupportedOperationException(APPLIED_ONLY);
  }

  @Override
  public <T> TypeSafeTemplate<T> as() {
    throw new UnsupportedOperationException(APPLIED_ONLY);
  }

  @Override
  public List<String> collect(TagType... types) {
    return template.collect(types);
  }

  @Override
  public List<String> collectReferenceParameters() {
    return template.collectReferenceParameters();
  }

  @Override
  public String filename() {
    return template.filename();
  }

  @Override
  public int[] position() {
    return template.position();
  }
}
