package verwalter.stores.api;

import verwalter.model.Resource;

/**
 * Which objects of a kind to list or to watch. A store serves each of these from an index: it costs
 * what it returns, not what the kind holds.
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

  /** The objects that name the owner with this uid, whether or not it still exists. */
  record Owner(String uid) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return object.meta().owners().stream().anyMatch(owner -> owner.uid().equals(uid));
    }
  }

  /** The objects that name this node; see {@link verwalter.model.Kind#node}. */
  record Node(String name) implements Selection {
    @Override
    public boolean selects(Resource<?, ?> object) {
      return names(object);
    }

    private <S, T> boolean names(Resource<S, T> object) {
      return object.type().node(object).filter(name::equals).isPresent();
    }
  }

  /** The objects that name this role; see {@link verwalter.model.Kind#role}. */
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
