package verwalter.model.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Metadata;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;

/** Arbitrary objects of every kind, made from the components of its records. */
final class AnyResource {
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  static Arbitrary<Resource<?, ?>> any() {
    return Arbitraries.oneOf(
        Kinds.ALL.stream().<Arbitrary<Resource<?, ?>>>map(AnyResource::of).toList());
  }

  static <S, T> Arbitrary<Resource<?, ?>> of(Kind<S, T> kind) {
    return Combinators.combine(metadata(), record(kind.spec()), record(kind.status()).optional())
        .as((meta, spec, status) -> new Resource<>(kind, meta, spec, status));
  }

  static Arbitrary<Metadata> metadata() {
    return Combinators.combine(
            record(MetadataFields.class), names(), Arbitraries.longs().greaterOrEqual(0))
        .as(
            (fields, name, number) ->
                new Metadata(
                    name,
                    fields.uid().orElse(""),
                    number / 10,
                    number % 7,
                    printable(fields.labels()),
                    fields.annotations(),
                    fields.finalizers(),
                    fields.ownerReferences(),
                    fields.creationTimestamp(),
                    fields.deletionTimestamp()));
  }

  /** Labels without control characters, which are refused. */
  private static Map<String, String> printable(Map<String, String> labels) {
    var all = new TreeMap<String, String>();
    labels.forEach(
        (name, value) -> all.put(name.replaceAll("\\p{Cc}", ""), value.replaceAll("\\p{Cc}", "")));
    return all;
  }

  static Arbitrary<String> names() {
    var inner = Arbitraries.strings().withChars(LETTERS + "._@-").ofMaxLength(20);
    var outer = Arbitraries.strings().withChars(LETTERS).ofLength(1);
    return Combinators.combine(outer, inner, outer).as((a, b, c) -> a + b + c);
  }

  static <R> Arbitrary<R> record(Class<R> type) {
    var parts = type.getRecordComponents();
    var values =
        Arrays.stream(parts).<Arbitrary<Object>>map(part -> of(part.getGenericType())).toList();
    return Combinators.combine(values)
        .as(
            arguments -> {
              try {
                var constructor =
                    type.getDeclaredConstructor(
                        Arrays.stream(parts)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                return constructor.newInstance(arguments.toArray());
              } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @SuppressWarnings("unchecked") // the arbitrary of a type produces values of that type
  private static <V> Arbitrary<V> of(Type type) {
    return (Arbitrary<V>) values(type);
  }

  private static Arbitrary<?> values(Type type) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == Optional.class) {
        return of(arguments[0]).filter(each -> each != null).optional();
      }
      if (generic.getRawType() == List.class) {
        return of(arguments[0]).list().ofMaxSize(2);
      }
      return arguments[1] == Object.class
          ? AnyJson.objects(2)
          : Arbitraries.maps(AnyJson.texts(), of(arguments[1])).ofMaxSize(2).map(Map::copyOf);
    }
    var plain = (Class<?>) type;
    if (plain == String.class) {
      return AnyJson.texts();
    }
    if (plain == boolean.class) {
      return Arbitraries.of(true, false);
    }
    if (plain == int.class || plain == Integer.class) {
      return Arbitraries.integers();
    }
    if (plain == long.class || plain == Long.class) {
      return Arbitraries.longs();
    }
    if (plain == Instant.class) {
      return Combinators.combine(
              Arbitraries.longs().between(-62_000_000_000L, 253_000_000_000L),
              Arbitraries.integers().between(0, 999_999_999))
          .as(Instant::ofEpochSecond);
    }
    if (plain == Object.class) {
      return AnyJson.values(2).filter(each -> each != null);
    }
    if (plain == ProcessSpec.class) {
      return processes();
    }
    if (plain == ProcessSpec.Command.class) {
      return commands();
    }
    return plain.isEnum() ? Arbitraries.of(plain.getEnumConstants()) : record(plain);
  }

  /** Either an image and a config, or a command. */
  private static Arbitrary<ProcessSpec> processes() {
    var kinds = Arbitraries.of(ProcessSpec.Type.values());
    var images =
        Combinators.combine(
                kinds,
                AnyJson.texts(),
                AnyJson.texts(),
                Arbitraries.integers(),
                Arbitraries.maps(AnyJson.texts(), AnyJson.texts()).ofMaxSize(2).map(Map::copyOf),
                AnyJson.texts().list().ofMaxSize(2),
                AnyJson.texts().list().ofMaxSize(2))
            .as(ProcessSpec::ofImage);
    var commands =
        Combinators.combine(kinds, Arbitraries.integers(), commands()).as(ProcessSpec::ofCommand);
    return Arbitraries.oneOf(images, commands);
  }

  private static Arbitrary<ProcessSpec.Command> commands() {
    return Combinators.combine(
            AnyJson.texts().list().ofMinSize(1).ofMaxSize(2),
            record(ProcessSpec.Limits.class),
            record(ProcessSpec.Probe.class).list().ofMaxSize(1),
            record(ProcessSpec.Stop.class).optional(),
            Arbitraries.longs().optional(),
            Arbitraries.longs().list().ofMaxSize(2),
            AnyJson.texts().optional())
        .as(
            (arguments, limits, probes, stop, user, groups, directory) ->
                new ProcessSpec.Command(
                    arguments,
                    user,
                    groups,
                    directory,
                    Map.of("A", arguments.get(0)),
                    Map.of("http", groups.size() + 0L),
                    limits,
                    probes,
                    stop,
                    Optional.empty()));
  }

  private AnyResource() {}
}
