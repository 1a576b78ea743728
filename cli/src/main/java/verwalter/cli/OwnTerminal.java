package verwalter.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The terminal that the operator types on. */
interface OwnTerminal {
  /** A process without a terminal. */
  OwnTerminal NONE =
      new OwnTerminal() {
        @Override
        public Closeable raw() {
          return () -> {};
        }

        @Override
        public Optional<Size> size() {
          return Optional.empty();
        }
      };

  /** Its number of rows and of columns. */
  record Size(int rows, int columns) {}

  /** Passes on every key, such as Ctrl-C, until the result is closed. */
  Closeable raw() throws IOException;

  /** The size; empty if it is not known. */
  Optional<Size> size();
}
