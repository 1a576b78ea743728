package verwalter.model;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded decisions of the scheduler. {@link #newestFirst} and {@link #find} return at once;
 * the other methods read files and must be called off the loop.
 */
public interface Decisions {
  /** For a node that records no decisions. */
  Decisions NONE =
      new Decisions() {
        @Override
        public List<Entry> newestFirst() {
          return List.of();
        }

        @Override
        public Entry find(String reference) throws Unknown {
          throw new Unknown("this node records no decisions");
        }

        @Override
        public DecisionRecord read(Entry entry) throws IOException {
          throw new IOException("there is no record " + entry.id());
        }

        @Override
        public byte[] packed(Entry entry) throws IOException {
          throw new IOException("there is no record " + entry.id());
        }

        @Override
        public Optional<byte[]> packedCode(String hash) {
          return Optional.empty();
        }

        @Override
        public Optional<Map<String, Object>> code(String hash) {
          return Optional.empty();
        }
      };

  /**
   * A record in a list.
   *
   * @param id of the record, see {@link DecisionRecord#id}
   * @param at the time of the run, to the millisecond
   * @param schedule hash of the resulting schedule; empty if the run failed
   * @param code hash of the scheduler's code; empty if it is unknown
   * @param bytes its size on disk
   */
  record Entry(String id, Instant at, String schedule, String code, long bytes) {
    /** Whether the run succeeded. */
    public boolean decided() {
      return !schedule.isEmpty();
    }
  }

  /** The reference matches no record, or several; the message names alternatives. */
  final class Unknown extends Exception {
    private static final long serialVersionUID = 1;

    public Unknown(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  /** All records, newest first. */
  List<Entry> newestFirst();

  /**
   * The record that a reference names: {@code latest}, {@code previous}, or the beginning of the id
   * of a record or of the hash of a schedule.
   */
  Entry find(String reference) throws Unknown;

  /**
   * The content of a record.
   *
   * @throws IOException if its file is missing or corrupt; the message names it
   */
  DecisionRecord read(Entry entry) throws IOException;

  /** The content of a record, compressed as on disk. */
  byte[] packed(Entry entry) throws IOException;

  /** The code with this hash, compressed as on disk; empty if it is not stored. */
  Optional<byte[]> packedCode(String hash) throws IOException;

  /** The code with this hash as a JSON object with its {@code files}; empty if it is not stored. */
  Optional<Map<String, Object>> code(String hash) throws IOException;
}
