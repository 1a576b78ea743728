package verwalter.stores.api;

import verwalter.model.Resource;

/**
 * A set of objects of a kind to list or to watch. A store uses an index for each selection, so that
 * the cost depends on the size of the result, not on the number of objects of the kind.
 */
public sealed interface Selection {
  /** Every object of the kind. */
  Selection ALL = new All();

  /** Whether the object belongs to the selection. */
  boolean selects(Resource<?, ?> object);

  /** Every object of the kind. */
  record All() implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return true;
    }
  }

  /** The objects with an owner with this uid, whether or not the owner exists. */
  record Owner(String uid) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return object.meta().owners().stream().anyMatch(owner -> owner.uid().equals(uid));
    }
  }

  /** The objects of this node; see {@link verwalter.model.Kind#node}. */
  record Node(String name) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return names(object);
    }

    private <S, T> boolean names(Resource<S, T> object) {
      return object.type().node(object).filter(name::equals).isPresent();
    }
  }

  /** The objects of this role; see {@link verwalter.model.Kind#role}. */
  record Role(String name) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return names(object);
    }

    private <S, T> boolean names(Resource<S, T> object) {
      return object.type().role(object).filter(name::equals).isPresent();
    }
  }

  /** The objects with a label of this key and value. */
  record Label(String key, String value) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return value.equals(object.meta().labels().get(key));
    }
  }
}
