package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.GroupByFilter.Group;
import com.hubspot.jinjava.lib.tag.ForTag;
import com.hubspot.jinjava.tree.TagNode;
import com.hubspot.jinjava.tree.parse.TagToken;
import com.hubspot.jinjava.util.ObjectIterator;
import com.hubspot.jinjava.util.ObjectTruthValue;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.lang3.tuple.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Loops over lists and, with two names, over the entries of maps. An undefined value is an error.
 */
final class StrictFor extends ForTag {
  private static final long serialVersionUID = 1;
  private static final Pattern IF = Pattern.compile("\\sif\\b");
  private static final Pattern ELSE = Pattern.compile("\\belse\\b");

  @Override
  public String interpretUnchecked(TagNode node, JinjavaInterpreter in) {
    var interpreter = StrictInterpreter.of(in);
    var outer = interpreter.lookups().begin();
    try {
      return super.interpretUnchecked(node, in);
    } finally {
      interpreter.lookups().end(outer);
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
    if (items instanceof Number || items instanceof Boolean) {
      StrictInterpreter.of(in).fail(node.getLineNumber(), "a number is nothing to loop over");
      return "";
    }
    var condition = condition(node.getHelpers());
    var chosen =
        condition.isPresent()
            ? kept(node, in, names, items, condition.get())
            : names.size() == 2 ? pairs(items) : items;
    if (names.size() > 1) {
      checkWidth(chosen, names.size());
    }
    int otherwise = otherwise(node);
    if (otherwise < 0) {
      return super.renderForCollection(node, in, names, chosen);
    }
    var children = node.getChildren();
    var part = new TagNode(node.getTag(), (TagToken) node.getMaster(), node.getSymbols());
    boolean empty = !ObjectIterator.getLoop(chosen).hasNext();
    part.getChildren()
        .addAll(
            empty
                ? children.subList(otherwise + 1, children.size())
                : children.subList(0, otherwise));
    return super.renderForCollection(part, in, names, empty ? List.of("once") : chosen);
  }

  /** Refuses items that are not lists or pairs of as many values as the loop has names. */
  private static void checkWidth(@Nullable Object items, int names) {
    for (var loop = ObjectIterator.getLoop(items); loop.hasNext(); ) {
      var item = loop.next();
      boolean fits =
          item instanceof List<?> list
              ? list.size() == names
              : item instanceof Map.Entry<?, ?> && names == 2;
      if (!fits) {
        throw new JinjaError(
            "the loop has " + names + " names, and an item is not a list of " + names + " values");
      }
    }
  }

  /** The index of the {@code else} of a loop among its children; negative if it has none. */
  private static int otherwise(TagNode node) {
    var children = node.getChildren();
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i) instanceof TagNode child && child.getName().equals("else")) {
        return i;
      }
    }
    return -1;
  }

  /** The groups of {@code groupby} as pairs of key and items. */
  private static @Nullable Object pairs(@Nullable Object items) {
    if (!(items instanceof List<?> list) || list.stream().noneMatch(Group.class::isInstance)) {
      return items;
    }
    return list.stream()
        .map(
            each ->
                each instanceof Group group
                    ? new SimpleImmutableEntry<>(group.getGrouperObject(), group.getList())
                    : each)
        .toList();
  }

  /** The items for which the condition after {@code if} is true. */
  @SuppressWarnings("try") // the scope is only closed
  private static List<@Nullable Object> kept(
      TagNode node,
      JinjavaInterpreter in,
      List<String> names,
      @Nullable Object items,
      String condition) {
    var kept = new ArrayList<@Nullable Object>();
    var loop = ObjectIterator.getLoop(items);
    while (loop.hasNext()) {
      var item = in.wrap(loop.next());
      StrictInterpreter.of(in).take(1, node.getLineNumber());
      try (var scope = in.enterScope()) {
        bind(in, names, item);
        if (ObjectTruthValue.evaluate(in.resolveELExpression(condition, node.getLineNumber()))) {
          kept.add(item);
        }
      }
    }
    return kept;
  }

  private static void bind(JinjavaInterpreter in, List<String> names, @Nullable Object item) {
    if (names.size() == 1) {
      in.getContext().put(names.get(0), item);
    } else if (item instanceof Map.Entry<?, ?> entry) {
      in.getContext().put(names.get(0), entry.getKey());
      in.getContext().put(names.get(1), entry.getValue());
    } else if (item instanceof List<?> list) {
      for (int i = 0; i < names.size() && i < list.size(); i++) {
        in.getContext().put(names.get(i), list.get(i));
      }
    }
  }

  @Override
  public Pair<List<String>, String> getLoopVarsAndExpression(TagToken token) {
    var whole = super.getLoopVarsAndExpression(token);
    var tail = condition(token.getHelpers());
    if (tail.isEmpty()) {
      return whole;
    }
    var list = whole.getRight();
    int end = list.length() - tail.get().length();
    return Pair.of(whole.getLeft(), list.substring(0, list.lastIndexOf("if", end)).strip());
  }

  /** The text after an {@code if} without {@code else}, outside of brackets and quotes. */
  static Optional<String> condition(String helpers) {
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < helpers.length(); i++) {
      char letter = helpers.charAt(i);
      if (quote != 0) {
        quote = letter == quote ? 0 : quote;
      } else if (letter == '"' || letter == '\'') {
        quote = letter;
      } else if ("([{".indexOf(letter) >= 0) {
        depth++;
      } else if (")]}".indexOf(letter) >= 0) {
        depth--;
      } else if (depth == 0 && IF.matcher(helpers).region(i, helpers.length()).lookingAt()) {
        var rest = helpers.substring(i + 3).strip();
        return ELSE.matcher(rest).find() ? Optional.empty() : Optional.of(rest);
      }
    }
    return Optional.empty();
  }

  private static int size(@Nullable Object items) {
    if (items instanceof Map<?, ?> map) {
      return map.size();
    }
    return items instanceof Collection<?> collection ? collection.size() : 1;
  }
}
