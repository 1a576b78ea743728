package verwalter.stores.local;

import verwalter.model.Resource;

/**
 * An object as committed.
 *
 * @param bytes how long its JSON is, without what the store itself adds
 */
record Stored(Resource<?, ?> resource, int bytes) {
  String uid() {
    return resource.meta().uid();
  }

  Stored with(Resource<?, ?> next) {
    return new Stored(next, bytes);
  }
}
