package verwalter.cluster.mirror;

import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Scope;

/** Says which node is the master of an object. */
@FunctionalInterface
interface Masters {
  /** The node in the name of an object; empty if no node can be its master. */
  Optional<String> of(ResourceKey key);

  /** Whether a node may be the master of this object. */
  default boolean allows(String node, Resource<?, ?> object) {
    return of(object.key()).filter(node::equals).isPresent();
  }

  /**
   * By the names of objects: an event ends with a dot and the name of its node, any other object
   * with {@code @} and that name. The spec must name the same node.
   */
  Masters STANDARD =
      new Masters() {
        private final Pattern event = Pattern.compile("[0-9a-f]{16}\\.(.+)");

        @Override
        public Optional<String> of(ResourceKey key) {
          if (Kinds.named(key.kind()).filter(kind -> kind.scope() == Scope.NODE).isEmpty()) {
            return Optional.empty();
          }
          if (key.kind().equals(Event.KIND.name())) {
            var parts = event.matcher(key.name());
            return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
          }
          int at = key.name().lastIndexOf('@');
          return at < 0 ? Optional.empty() : Optional.of(key.name().substring(at + 1));
        }

        @Override
        public boolean allows(String node, Resource<?, ?> object) {
          return Masters.super.allows(node, object)
              && (object.type().equals(Event.KIND) || node(object).equals(Optional.of(node)));
        }

        private <S, T> Optional<String> node(Resource<S, T> object) {
          Kind<S, T> kind = object.type();
          return kind.node(object);
        }
      };
}
