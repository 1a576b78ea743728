package verwalter.model.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;

/**
 * Converts objects of one kind to and from JSON between trusted parts of Verwalter. Unknown fields
 * of newer versions are ignored; absent lists and mappings are empty.
 */
final class Wire<S, T> {
  static final JsonMapper MAPPER =
      JsonMapper.builder(factory())
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .addModule(new SimpleModule().addDeserializer(String.class, new TextReader()))
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS) // isTrue() of a condition is not a field
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .withConfigOverride(
              List.class,
              each -> each.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .withConfigOverride(
              Map.class, each -> each.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .build();

  /** An object without its metadata and its spec. */
  private static final String ENVELOPE =
      "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":,\"spec\":}";

  private static final ObjectReader METADATA = MAPPER.readerFor(MetadataFields.class);
  private static final ObjectWriter METADATA_WRITER = MAPPER.writerFor(MetadataFields.class);
  private static final Map<Kind<?, ?>, Wire<?, ?>> WIRES = new ConcurrentHashMap<>();

  private final Kind<S, T> kind;
  private final int envelope;
  private final ObjectReader spec;
  private final ObjectReader status;
  private final ObjectWriter specWriter;
  private final ObjectWriter statusWriter;

  private Wire(Kind<S, T> kind) {
    this.kind = kind;
    envelope = ENVELOPE.formatted(Kind.API_VERSION, kind.name()).length();
    spec = MAPPER.readerFor(kind.spec());
    status = MAPPER.readerFor(kind.status());
    specWriter = MAPPER.writerFor(kind.spec());
    statusWriter = MAPPER.writerFor(kind.status());
  }

  private static JsonFactory factory() {
    return new JsonFactoryBuilder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();
  }

  @SuppressWarnings("unchecked") // each kind is mapped to its own wire
  static <S, T> Wire<S, T> of(Kind<S, T> kind) {
    return (Wire<S, T>) WIRES.computeIfAbsent(kind, Wire::new);
  }

  void write(Resource<S, T> resource, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("apiVersion", Kind.API_VERSION);
    out.writeStringField("kind", kind.name());
    out.writeFieldName("metadata");
    METADATA_WRITER.writeValue(out, MetadataFields.of(resource.meta()));
    out.writeFieldName("spec");
    specWriter.writeValue(out, resource.spec());
    if (resource.status().isPresent()) {
      out.writeFieldName("status");
      statusWriter.writeValue(out, resource.status().get());
    }
    out.writeEndObject();
  }

  byte[] spec(Resource<S, T> resource) throws IOException {
    return specWriter.writeValueAsBytes(resource.spec());
  }

  byte[] status(T status) throws IOException {
    return statusWriter.writeValueAsBytes(status);
  }

  S spec(byte[] json) throws IOException {
    return spec.readValue(json);
  }

  T status(byte[] json) throws IOException {
    return status.readValue(json);
  }

  /** The size of an object without its spec and status, in bytes. */
  int envelope(Resource<S, T> resource) throws IOException {
    var metadata = new ByteCount();
    METADATA_WRITER.writeValue(metadata, MetadataFields.of(resource.meta()));
    return envelope + metadata.bytes();
  }

  /** Reads an object of any kind, in a single pass if the kind comes before the spec. */
  static Resource<?, ?> read(byte[] json) throws IOException {
    try (var parser = MAPPER.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("expected an object");
      }
      return new Pass(parser).read();
    }
  }

  private static final class Pass {
    private final JsonParser parser;
    private @Nullable Wire<?, ?> wire;
    private @Nullable MetadataFields meta;
    private @Nullable Object spec;
    private @Nullable Object status;

    Pass(JsonParser parser) {
      this.parser = parser;
    }

    Resource<?, ?> read() throws IOException {
      TokenBuffer earlySpec = null;
      TokenBuffer earlyStatus = null;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var name = parser.currentName();
        parser.nextToken();
        switch (name) {
          case "kind" -> wire = wire(parser.getText());
          case "metadata" -> meta = METADATA.readValue(parser);
          case "spec" -> {
            if (wire == null) {
              earlySpec = MAPPER.readValue(parser, TokenBuffer.class);
            } else {
              spec = wire.spec.readValue(parser);
            }
          }
          case "status" -> {
            if (wire == null) {
              earlyStatus = MAPPER.readValue(parser, TokenBuffer.class);
            } else {
              status = wire.status.readValue(parser);
            }
          }
          default -> parser.skipChildren();
        }
      }
      if (wire == null) {
        throw new IOException("no kind");
      }
      if (earlySpec != null) {
        spec = wire.spec.readValue(earlySpec.asParser());
      }
      if (earlyStatus != null) {
        status = wire.status.readValue(earlyStatus.asParser());
      }
      return wire.resource(meta, spec, status);
    }

    private static Wire<?, ?> wire(String kind) throws IOException {
      return Wire.of(Kinds.named(kind).orElseThrow(() -> new IOException("unknown kind " + kind)));
    }
  }

  private Resource<S, T> resource(
      @Nullable MetadataFields meta, @Nullable Object spec, @Nullable Object status)
      throws IOException {
    if (meta == null || spec == null) {
      throw new IOException(kind.name() + " without " + (meta == null ? "metadata" : "spec"));
    }
    try {
      return new Resource<>(
          kind,
          meta.metadata(),
          kind.spec().cast(spec),
          Optional.ofNullable(status).map(kind.status()::cast));
    } catch (NumberFormatException e) {
      throw new IOException("resourceVersion is no number: " + meta.resourceVersion(), e);
    }
  }
}
