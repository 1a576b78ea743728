package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import verwalter.model.ResourceKey;

/**
 * The bytes of messages: a type, then the fields; numbers are big-endian, a text or a block has its
 * length before it. A longer message is compressed by itself, with a dictionary of what objects
 * contain, so that no state of a compressor is kept for a connection.
 */
final class MessageCodec {
  /** The limit of an uncompressed message, in bytes. */
  static final int MOST_BYTES = 8 << 20;

  private static final int WORTH_PACKING = 100;
  private static final int PACKED = 0x80;

  /** Strings that objects often contain; the most frequent at the end. */
  private static final byte[] DICTIONARY =
      ("\"finalizers\":[\"verwalter.io/ownerReferences\":[{\"apiVersion\":\"verwalter.io/v1\","
              + "\"kind\":\"RoleInstance\",\"name\":\"\",\"uid\":\"\"}],\"annotations\":{"
              + "{\"apiVersion\":\"verwalter.io/v1\",\"kind\":\"Event\",\"metadata\":{\"name\":\""
              + "\"regarding\":{\"kind\":\"type\":\"Warning\"\"Normal\",\"reason\":\"\",\"message\":"
              + "\"\",\"count\":1,\"first\":\"2026-\",\"last\":\"2026-\",\"reporter\":\"process\""
              + "{\"apiVersion\":\"verwalter.io/v1\",\"kind\":\"TemplateOutput\",\"metadata\":{"
              + "\"deployment\":\"\",\"input\":\"\",\"files\":{\"releases\":[],\"held\":\"drift\":[]"
              + "{\"apiVersion\":\"verwalter.io/v1\",\"kind\":\"ProcessGroup\",\"metadata\":{"
              + "\"sandbox\":\"\",\"processes\":{\"command\":\"restarts\":0,\"pid\":\"since\":\""
              + "{\"apiVersion\":\"verwalter.io/v1\",\"kind\":\"RoleInstance\",\"metadata\":{\"name\":"
              + "\"@node\",\"uid\":\"\",\"resourceVersion\":\"\",\"generation\":1,"
              + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"labels\":{\"role\":\"\",\"node\":\""
              + "\"}},\"spec\":{\"role\":\"\",\"node\":\"\",\"template\":\"\",\"version\":\"\","
              + "\"variables\":{\"status\":{\"observedGeneration\":1,\"state\":\"RUNNING\","
              + "\"desired\":1,\"running\":1,\"restarts\":0,\"conditions\":[{\"type\":\"Ready\","
              + "\"status\":\"True\",\"observedGeneration\":1,\"lastTransitionTime\":\"2026-\","
              + "\"reason\":\"\",\"message\":\"\"}]}}")
          .getBytes(StandardCharsets.UTF_8);

  /** The bytes of a message. */
  static Buffer write(Message message) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      write(message, out);
    } catch (IOException impossible) { // it is written to memory
      throw new UncheckedIOException(impossible);
    }
    var plain = bytes.toByteArray();
    return plain.length < WORTH_PACKING ? Buffer.buffer(plain) : packed(plain);
  }

  private static Buffer packed(byte[] plain) {
    var body = Arrays.copyOfRange(plain, 1, plain.length);
    var to = Packing.pack(body, Deflater.DEFAULT_COMPRESSION, DICTIONARY);
    return Buffer.buffer(to.length + 5)
        .appendByte((byte) (plain[0] | PACKED))
        .appendInt(body.length)
        .appendBytes(to);
  }

  /**
   * Reads the output of {@link #write}.
   *
   * @throws IOException if the bytes are not a message, or too many
   */
  static Message read(Buffer message) throws IOException {
    if (message.length() == 0) {
      throw new IOException("an empty message");
    }
    int type = message.getByte(0);
    boolean packed = (type & PACKED) != 0;
    var body = packed ? unpacked(message) : message.getBytes(1, message.length());
    try (var in = new DataInputStream(new ByteArrayInputStream(body))) {
      var read = read(type & ~PACKED & 0xff, in);
      if (in.available() > 0) {
        throw new IOException("%d bytes after a message".formatted(in.available()));
      }
      return read;
    }
  }

  private static byte[] unpacked(Buffer message) throws IOException {
    if (message.length() < 5) {
      throw new IOException("a packed message of %d bytes".formatted(message.length()));
    }
    int length = message.getInt(1);
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a message of %d bytes".formatted(length));
    }
    return Packing.unpack(message.getBytes(5, message.length()), length, DICTIONARY);
  }

  private static void write(Message message, DataOutputStream out) throws IOException {
    if (message instanceof Message.Hello hello) {
      out.writeByte(1);
      out.writeInt(hello.protocol());
      text(out, hello.node());
      out.writeLong(hello.process());
      out.writeLong(hello.attempt());
      digests(out, hello.digests());
    } else if (message instanceof Message.Listing listing) {
      out.writeByte(2);
      texts(out, listing.kinds());
      out.writeInt(listing.entries().size());
      for (var each : listing.entries()) {
        key(out, each.key());
        out.writeLong(each.mark());
      }
    } else if (message instanceof Message.Changes changes) {
      out.writeByte(3);
      out.writeBoolean(changes.complete());
      blocks(out, changes.puts());
      keys(out, changes.removals());
    } else if (message instanceof Message.Beat beat) {
      out.writeByte(4);
      digests(out, beat.digests());
    } else if (message instanceof Message.Answer answer) {
      out.writeByte(5);
      out.writeLong(answer.id());
      out.writeBoolean(answer.refusal().isPresent());
      if (answer.refusal().isPresent()) {
        var refusal = answer.refusal().get();
        text(out, refusal.reason().name());
        key(out, refusal.key());
        text(out, refusal.message());
      }
      blocks(out, answer.results());
    } else if (message instanceof Message.Ask ask) {
      out.writeByte(6);
      texts(out, ask.listings());
      texts(out, ask.wholes());
      keys(out, ask.objects());
    } else if (message instanceof Message.Ack) {
      out.writeByte(7);
    } else if (message instanceof Message.Request request) {
      out.writeByte(8);
      out.writeLong(request.id());
      out.writeInt(request.writes().size());
      for (var each : request.writes()) {
        text(out, each.form().name());
        block(out, each.object());
      }
    }
  }

  private static Message read(int type, DataInputStream in) throws IOException {
    return switch (type) {
      case 1 ->
          new Message.Hello(in.readInt(), text(in), in.readLong(), in.readLong(), digests(in));
      case 2 -> {
        var kinds = texts(in);
        var entries = new ArrayList<Message.Listing.Entry>();
        for (int rest = count(in); rest > 0; rest--) {
          entries.add(new Message.Listing.Entry(key(in), in.readLong()));
        }
        yield new Message.Listing(kinds, entries);
      }
      case 3 -> new Message.Changes(in.readBoolean(), blocks(in), keys(in));
      case 4 -> new Message.Beat(digests(in));
      case 5 -> {
        long id = in.readLong();
        Optional<Refusal> refusal =
            in.readBoolean()
                ? Optional.of(new Refusal(one(Refusal.Reason.class, in), key(in), text(in)))
                : Optional.empty();
        yield new Message.Answer(id, refusal, blocks(in));
      }
      case 6 -> new Message.Ask(texts(in), texts(in), keys(in));
      case 7 -> new Message.Ack();
      case 8 -> {
        long id = in.readLong();
        var writes = new ArrayList<Message.Request.Item>();
        for (int rest = count(in); rest > 0; rest--) {
          writes.add(new Message.Request.Item(one(Message.Request.Form.class, in), block(in)));
        }
        yield new Message.Request(id, writes);
      }
      default -> throw new IOException("a message of type " + type);
    };
  }

  private static <E extends Enum<E>> E one(Class<E> type, DataInputStream in) throws IOException {
    var name = text(in);
    for (var each : type.getEnumConstants()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new IOException("the word %s in a message".formatted(name));
  }

  /** The number of following items, each of which has at least one byte. */
  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available()) {
      throw new IOException("%d items in a message".formatted(count));
    }
    return count;
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    block(out, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(DataInputStream in) throws IOException {
    return StandardCharsets.UTF_8.decode(block(in)).toString();
  }

  private static void block(DataOutputStream out, ByteBuffer bytes) throws IOException {
    var copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    out.writeInt(copy.length);
    out.write(copy);
  }

  private static ByteBuffer block(DataInputStream in) throws IOException {
    var bytes = new byte[count(in)];
    in.readFully(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static void texts(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (var each : texts) {
      text(out, each);
    }
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    var texts = new ArrayList<String>();
    for (int rest = count(in); rest > 0; rest--) {
      texts.add(text(in));
    }
    return texts;
  }

  private static void blocks(DataOutputStream out, List<ByteBuffer> blocks) throws IOException {
    out.writeInt(blocks.size());
    for (var each : blocks) {
      block(out, each);
    }
  }

  private static List<ByteBuffer> blocks(DataInputStream in) throws IOException {
    var blocks = new ArrayList<ByteBuffer>();
    for (int rest = count(in); rest > 0; rest--) {
      blocks.add(block(in));
    }
    return blocks;
  }

  private static void key(DataOutputStream out, ResourceKey key) throws IOException {
    text(out, key.kind());
    text(out, key.name());
  }

  private static ResourceKey key(DataInputStream in) throws IOException {
    return new ResourceKey(text(in), text(in));
  }

  private static void keys(DataOutputStream out, List<ResourceKey> keys) throws IOException {
    out.writeInt(keys.size());
    for (var each : keys) {
      key(out, each);
    }
  }

  private static List<ResourceKey> keys(DataInputStream in) throws IOException {
    var keys = new ArrayList<ResourceKey>();
    for (int rest = count(in); rest > 0; rest--) {
      keys.add(key(in));
    }
    return keys;
  }

  private static void digests(DataOutputStream out, List<Marks.Digest> all) throws IOException {
    out.writeInt(all.size());
    for (var each : all) {
      text(out, each.kind());
      out.writeInt(each.count());
      out.writeLong(each.sum());
    }
  }

  private static List<Marks.Digest> digests(DataInputStream in) throws IOException {
    var all = new ArrayList<Marks.Digest>();
    for (int rest = count(in); rest > 0; rest--) {
      all.add(new Marks.Digest(text(in), in.readInt(), in.readLong()));
    }
    return all;
  }

  private MessageCodec() {}
}
