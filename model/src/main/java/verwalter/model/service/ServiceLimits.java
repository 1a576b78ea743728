package verwalter.model.service;

import java.math.BigDecimal;
import java.util.Optional;
import verwalter.model.Quantities;
import verwalter.model.codec.Described;

/**
 * Limits of each process, together with the processes that it starts.
 *
 * @param memory memory, such as {@code 200MB}
 * @param cpu the number of processors, such as 0.5
 * @param pids the number of processes and threads
 * @param files the number of open files of each process; 1024 if absent
 */
public record ServiceLimits(
    @Described(
            value = "bytes of memory, such as 200MB; without it, no limit",
            pattern = ServiceLimits.BYTES,
            min = ServiceLimits.LEAST_MEMORY)
        Optional<Object> memory,
    @Described(
            value = "the number of processors, such as 0.5; without it, no limit",
            pattern = "[0-9]+(\\.[0-9]+)?")
        Optional<Object> cpu,
    @Described(
            value = "the number of processes and threads; without it, no limit",
            min = 1,
            max = ServiceLimits.MOST_PIDS)
        Optional<Integer> pids,
    @Described(
            value = "the number of open files; 1024 without it",
            min = ServiceLimits.LEAST_FILES,
            max = ServiceLimits.MOST_FILES)
        Optional<Integer> files) {
  static final int LEAST_FILES = 16;
  static final int MOST_FILES = 1 << 20;

  static final long LEAST_MEMORY = 1 << 20;
  static final int MOST_PIDS = 4_000_000;
  static final String BYTES = "[0-9]{1,18}|[0-9]{1,6}([kMGT]i?)?B?";
  private static final BigDecimal LEAST_CPU = new BigDecimal("0.01");
  private static final BigDecimal MOST_CPU = new BigDecimal(1024);

  public ServiceLimits {
    memory.ifPresent(
        value -> {
          if (Quantities.bytes(value).filter(bytes -> bytes >= LEAST_MEMORY).isEmpty()) {
            throw new IllegalArgumentException(
                "memory must be %s, and at least 1MiB, not %s"
                    .formatted(Quantities.BYTES_ALLOWED, value));
          }
        });
    cpu.ifPresent(
        value -> {
          if (processors(value).isEmpty()) {
            throw new IllegalArgumentException(
                "cpu must be a number of processors from 0.01 to 1024, such as 0.5, not " + value);
          }
        });
    if (pids.filter(number -> number < 1 || number > MOST_PIDS).isPresent()) {
      throw new IllegalArgumentException(
          "pids must be 1 to %d, not %d".formatted(MOST_PIDS, pids.get()));
    }
    if (files.filter(number -> number < LEAST_FILES || number > MOST_FILES).isPresent()) {
      throw new IllegalArgumentException(
          "files must be %d to %d, not %d".formatted(LEAST_FILES, MOST_FILES, files.get()));
    }
  }

  /** The limit of memory in bytes. */
  public Optional<Long> memoryBytes() {
    return memory.flatMap(Quantities::bytes);
  }

  /** The limit of processors in thousandths of one. */
  public Optional<Long> cpuMillis() {
    return cpu.flatMap(ServiceLimits::processors)
        .map(number -> number.movePointRight(3).longValue());
  }

  private static Optional<BigDecimal> processors(Object value) {
    try {
      return Optional.of(new BigDecimal(value.toString()))
          .filter(number -> number.compareTo(LEAST_CPU) >= 0 && number.compareTo(MOST_CPU) <= 0);
    } catch (NumberFormatException odd) {
      return Optional.empty();
    }
  }
}
