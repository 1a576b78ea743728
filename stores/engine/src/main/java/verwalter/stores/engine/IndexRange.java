package verwalter.stores.engine;

import verwalter.stores.api.Selection;

/**
 * The objects of a kind that belong to a selection.
 *
 * @param kind its name
 * @param key the key of the range in the index; empty for all objects of the kind
 */
record IndexRange(String kind, Selection selection, String key) {
  static IndexRange of(String kind, Selection selection) {
    return new IndexRange(kind, selection, IndexKeys.key(kind, selection));
  }

  boolean isWhole() {
    return key.isEmpty();
  }

  /** Whether the object, which is of this kind, belongs to it. */
  boolean has(Stored object) {
    if (selection instanceof Selection.Node node) {
      return object.head().node().filter(node.name()::equals).isPresent();
    }
    if (selection instanceof Selection.Role role) {
      return object.head().role().filter(role.name()::equals).isPresent();
    }
    if (selection instanceof Selection.Label label) {
      return label.value().equals(object.meta().labels().get(label.key()));
    }
    if (selection instanceof Selection.Owner owner) {
      return object.owners().stream().anyMatch(its -> its.uid().equals(owner.uid()));
    }
    return true;
  }
}
