package verwalter.model.service;

import java.util.Optional;

/**
 * Limits of each process.
 *
 * @param files the number of open files; 1024 if absent
 */
public record ServiceLimits(
    @Described(
            value = "the number of open files; 1024 without it",
            min = ServiceLimits.LEAST_FILES,
            max = ServiceLimits.MOST_FILES)
        Optional<Integer> files) {
  static final int LEAST_FILES = 16;
  static final int MOST_FILES = 1 << 20;

  public ServiceLimits {
    if (files.filter(number -> number < LEAST_FILES || number > MOST_FILES).isPresent()) {
      throw new IllegalArgumentException(
          "files must be %d to %d, not %d".formatted(LEAST_FILES, MOST_FILES, files.get()));
    }
  }
}
