package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TreeTest {
  @Property(tries = 300)
  void aTreeBehavesLikeAMapAndStaysBalanced(@ForAll List<@IntRange(max = 60) Integer> steps) {
    var model = new TreeMap<String, Integer>();
    var tree = Tree.<Integer>empty();
    for (int step : steps) {
      var key = "k" + step % 31;
      tree = step > 40 ? tree.without(key) : tree.with(key, step);
      if (step > 40) {
        model.remove(key);
      } else {
        model.put(key, step);
      }
      assertThat(isSound(tree)).isTrue();
      assertThat(tree.values()).isEqualTo(List.copyOf(model.values()));
      assertThat(tree.countAfter(key)).isEqualTo(model.tailMap(key, false).size());
      var after = new ArrayList<Integer>();
      tree.visitAfter(key, (name, value) -> after.add(value));
      assertThat(after).isEqualTo(List.copyOf(model.tailMap(key, false).values()));
    }
    assertThat(isSound(Tree.sorted(List.copyOf(model.entrySet())))).isTrue();
    assertThat(new HashSet<>(tree.values())).isEqualTo(new HashSet<>(model.values()));
  }

  /** Whether order and balance hold everywhere. */
  static boolean isSound(Tree<?> tree) {
    if (tree.size == 0) {
      return true;
    }
    var keys = new ArrayList<String>();
    tree.visitAfter("", (key, value) -> keys.add(key));
    return isBalanced(tree) && keys.equals(List.copyOf(new TreeSet<>(keys)));
  }

  private static boolean isBalanced(Tree<?> tree) {
    int less = tree.left.size;
    int more = tree.right.size;
    return tree.size == 0
        || (tree.size == less + more + 1
            && (less + more <= 1 || (less <= Tree.DELTA * more && more <= Tree.DELTA * less))
            && isBalanced(tree.left)
            && isBalanced(tree.right));
  }
}
