package verwalter.artifacts;

import java.nio.file.Path;

/** Sees each change of a disk before it happens. Tests stop the program there. */
@FunctionalInterface
interface DiskSteps {
  DiskSteps NONE = (step, path) -> {};

  void before(String step, Path path);
}
