package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.codec.Codec;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Writes that one node sends to another one, and the answers, in the messages of mirrors. */
public final class WriteMessages {
  /** The limit of a request, in bytes: the status of a few objects. */
  public static final int MOST_REQUEST = 1 << 20;

  /** The limit of an answer, in bytes. */
  public static final int MOST_BYTES = 8 << 20;

  /**
   * Writes that were committed.
   *
   * @param revision a revision of the store of the node that answers which contains the writes
   * @param results the committed objects in the order of the writes
   */
  public record Committed(long revision, List<Resource<?, ?>> results) {
    public Committed {
      results = List.copyOf(results);
    }
  }

  /**
   * An answer.
   *
   * @param revision a revision of the store of the node that answers
   * @param refusal why nothing was written; empty if the writes were committed
   * @param results the committed objects in the order of the writes
   */
  public record Answer(
      long revision, Optional<StoreException> refusal, List<Resource<?, ?>> results) {
    public Answer {
      results = List.copyOf(results);
    }
  }

  /** The bytes of a request. */
  public static Buffer request(List<Write> writes) {
    return MessageCodec.write(
        new Message.Request(0, writes.stream().map(WriteMessages::item).toList()));
  }

  private static Message.Request.Item item(Write write) {
    return new Message.Request.Item(
        Message.Request.Form.of(write), ByteBuffer.wrap(Codec.json(write.resource())));
  }

  /**
   * Reads a request.
   *
   * @throws IOException if it is malformed, or has no writes
   */
  public static List<Write> writes(Buffer request) throws IOException {
    if (!(MessageCodec.read(request) instanceof Message.Request message)
        || message.writes().isEmpty()) {
      throw new IOException("it is not a request to write");
    }
    var writes = new ArrayList<Write>();
    for (var each : message.writes()) {
      var object = NodeFeed.object(each.object());
      writes.add(
          switch (each.form()) {
            case PUT -> new Write.Put(object);
            case STATUS -> new Write.PutStatus(object);
            case REMOVE -> new Write.Remove(object);
          });
    }
    return writes;
  }

  /** The bytes of the answer to a request that was committed. */
  public static Buffer committed(Committed committed) {
    var objects =
        committed.results().stream().map(each -> ByteBuffer.wrap(Codec.json(each))).toList();
    return answer(new Message.Answer(committed.revision(), Optional.empty(), objects));
  }

  /**
   * The bytes of the answer to a request that failed.
   *
   * @param key its first object
   * @param revision that of the store that refused it
   */
  public static Buffer refused(Throwable failure, ResourceKey key, long revision) {
    return answer(new Message.Answer(revision, Optional.of(Refusal.of(failure, key)), List.of()));
  }

  private static Buffer answer(Message.Answer answer) {
    return MessageCodec.write(answer);
  }

  /**
   * Reads an answer.
   *
   * @param from the node that answers, for messages
   * @param based the version that the first write was based on
   * @throws IOException if the answer is malformed
   */
  public static Answer answer(Buffer bytes, String from, long based) throws IOException {
    if (!(MessageCodec.read(bytes) instanceof Message.Answer answer)) {
      throw new IOException("it is not an answer to a request to write");
    }
    var refusal = answer.refusal().map(it -> it.exception(from, based, 0));
    var results = new ArrayList<Resource<?, ?>>();
    for (var each : answer.results()) {
      results.add(NodeFeed.object(each));
    }
    return new Answer(answer.id(), refusal, results);
  }

  private WriteMessages() {}
}
