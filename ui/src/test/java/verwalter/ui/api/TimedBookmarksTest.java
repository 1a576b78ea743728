package verwalter.ui.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.StoreException;

class TimedBookmarksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final VirtualWorld world = new VirtualWorld(0);
  private final List<Long> sent = new ArrayList<>();

  private TimedBookmarks<Node.Spec, Node.Status> bookmarks(OptionalLong after) {
    var bookmarks =
        new TimedBookmarks<Node.Spec, Node.Status>(
            world.loop("api"), MINUTE, after, change -> sent.add(change.revision()));
    bookmarks.start();
    return bookmarks;
  }

  private static Change<Node.Spec, Node.Status> put(long version) {
    var node = Resource.of(Node.KIND, "n", new Node.Spec(true));
    return new Change.Put<>(node.withMeta(node.meta().withVersion(version)), true);
  }

  @Test
  void repeatsThePositionAtTheInterval() {
    var bookmarks = bookmarks(OptionalLong.of(7));
    world.runFor(MINUTE.multipliedBy(2));
    bookmarks.follow(put(9));
    world.runFor(MINUTE);
    assertThat(sent).containsExactly(7L, 7L, 9L);
  }

  @Test
  void hasNoPositionBeforeTheInitialObjectsWereReported() {
    var bookmarks = bookmarks(OptionalLong.empty());
    bookmarks.follow(put(3)); // others may have lower versions and follow
    world.runFor(MINUTE);
    assertThat(sent).isEmpty();
    bookmarks.follow(new Change.Bookmark<>(5));
    world.runFor(MINUTE);
    assertThat(sent).containsExactly(5L);
  }

  @Test
  void nothingFollowsTheEndOfTheWatch() {
    bookmarks(OptionalLong.of(7)).follow(new Change.Ended<>(7, new StoreException.TooSlow(1)));
    bookmarks(OptionalLong.of(8)).stop();
    world.runFor(MINUTE.multipliedBy(3));
    assertThat(sent).isEmpty();
  }
}
