package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.tree.TagNode;
import org.jspecify.annotations.Nullable;

/** {@code {% print value %}}: the same as an output. */
final class PrintTag implements Tag {
  private static final long serialVersionUID = 1;

  @Override
  public String getName() {
    return "print";
  }

  @Override
  public String interpret(TagNode node, JinjavaInterpreter in) {
    return StrictOutput.print(node.getHelpers(), node.getLineNumber(), in);
  }

  @Override
  public @Nullable String getEndTagName() {
    return null;
  }
}
