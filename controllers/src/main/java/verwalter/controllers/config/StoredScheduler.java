package verwalter.controllers.config;

import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import verwalter.model.Configuration;
import verwalter.model.Resource;
import verwalter.model.SchedulerCode;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * The scheduler's files as objects. A piece is named after the hash of the whole, so that pieces of
 * the next code are written before the configuration refers to them.
 */
public final class StoredScheduler {
  /** The number of bytes in one object. */
  private static final int PIECE = 512 << 10;

  /** The limit of pieces, since every elector has them in memory. */
  static final int MOST = 16;

  /** The number of objects for these files; 0 if they are too large for the cluster. */
  static int pieces(SchedulerFiles.Packed files) {
    int pieces = (files.bytes().length + PIECE - 1) / PIECE;
    return pieces > MOST ? 0 : pieces;
  }

  /** Creates the objects that are missing, one by one, since a transaction has a limited size. */
  static Future<Void> write(ObjectStore store, SchedulerFiles.Packed files) {
    var written = Future.<Void>succeededFuture();
    for (int piece = 0; piece < pieces(files); piece++) {
      var name = SchedulerCode.name(files.hash(), piece);
      int from = piece * PIECE;
      int to = Math.min(from + PIECE, files.bytes().length);
      if (store.get(SchedulerCode.KIND, name).isEmpty()) {
        var data = Base64.getEncoder().encodeToString(Arrays.copyOfRange(files.bytes(), from, to));
        var object = Resource.of(SchedulerCode.KIND, name, new SchedulerCode.Spec(data));
        written = written.compose(done -> store.put(object).mapEmpty());
      }
    }
    return written;
  }

  /** Removes the objects of other code. */
  static List<Write> removals(ObjectStore store, String hash) {
    return store.list(SchedulerCode.KIND).stream()
        .filter(each -> !each.name().startsWith(hash + "."))
        .<Write>map(Write.Remove::new)
        .toList();
  }

  /**
   * The compressed files of the scheduler in force; empty if the leader's own files count.
   *
   * @throws IOException if an object is missing
   */
  public static Optional<byte[]> read(ObjectStore store) throws IOException {
    var status = store.get(Configuration.KIND, Configuration.CURRENT).flatMap(Resource::status);
    if (status.isEmpty() || status.get().pieces() == 0) {
      return Optional.empty();
    }
    var bytes = new ByteArrayOutputStream();
    for (int piece = 0; piece < status.get().pieces(); piece++) {
      var name = SchedulerCode.name(status.get().scheduler(), piece);
      var object = store.get(SchedulerCode.KIND, name);
      if (object.isEmpty()) {
        throw new IOException("SchedulerCode/" + name + " of the scheduler in force is missing");
      }
      bytes.writeBytes(Base64.getDecoder().decode(object.get().spec().data()));
    }
    return Optional.of(bytes.toByteArray());
  }

  private StoredScheduler() {}
}
