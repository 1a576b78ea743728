package verwalter.render;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.ForTag;
import com.hubspot.jinjava.tree.TagNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Loops over lists and, with two names, over the entries of maps; not over what is undefined. */
final class StrictFor extends ForTag {
  private static final long serialVersionUID = 1;

  @Override
  public String interpretUnchecked(TagNode node, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    var outer = interpreter.startEvaluation();
    try {
      return super.interpretUnchecked(node, in);
    } finally {
      interpreter.endEvaluation(outer);
    }
  }

  @Override
  public String renderForCollection(
      TagNode node, JinjavaInterpreter in, List<String> names, @Nullable Object collection) {
    if (StrictInterpreter.of(in).failOnMiss(node.getLineNumber())) {
      return "";
    }
    var items =
        names.size() == 2 && collection instanceof Map<?, ?> map ? map.entrySet() : collection;
    StrictInterpreter.of(in).take(size(items), node.getLineNumber());
    return super.renderForCollection(node, in, names, items);
  }

  private static int size(@Nullable Object items) {
    if (items instanceof Map<?, ?> map) {
      return map.size();
    }
    return items instanceof Collection<?> collection ? collection.size() : 1;
  }
}
