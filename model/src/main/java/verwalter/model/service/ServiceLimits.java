package verwalter.model.service;

import java.util.Optional;

/**
 * Limits of each process.
 *
 * @param files the number of open files; 1024 if absent
 */
public record ServiceLimits(Optional<Integer> files) {
  private static final int MOST_FILES = 1 << 20;

  public ServiceLimits {
    if (files.filter(number -> number < 16 || number > MOST_FILES).isPresent()) {
      throw new IllegalArgumentException(
          "files must be 16 to %d, not %d".formatted(MOST_FILES, files.get()));
    }
  }
}
