package verwalter.ui.port;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.DecisionRecord;

/**
 * The scheduler's decisions on record. {@link #newestFirst} and {@link #find} answer at once,
 * everything else reads files: ask off the loop.
 */
public interface Decisions {
  /** For a node that keeps no record. */
  Decisions NONE =
      new Decisions() {
        @Override
        public List<Entry> newestFirst() {
          return List.of();
        }

        @Override
        public Entry find(String reference) throws Unknown {
          throw new Unknown("this node keeps no decisions on record");
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
   * What a list shows of a record.
   *
   * @param id of the record: a hash of code and input
   * @param schedule hash of the schedule that came of it; empty if the run failed
   * @param code hash of the scheduler's code; empty if there is no telling
   * @param bytes how much it takes on disk
   */
  record Entry(String id, Instant at, String schedule, String code, long bytes) {}

  /** No record is meant by a reference, or several are; the message says what would do. */
  final class Unknown extends Exception {
    private static final long serialVersionUID = 1;

    public Unknown(String message) {
      super(message, null, false, false);
    }
  }

  /** Everything on record, newest first. */
  List<Entry> newestFirst();

  /**
   * The record that is meant: {@code latest}, {@code previous}, or the beginning of the id of a
   * record or of the hash of a schedule.
   */
  Entry find(String reference) throws Unknown;

  /** All of a record. */
  DecisionRecord read(Entry entry) throws IOException;

  /** All of a record in the compressed form it is kept in. */
  byte[] packed(Entry entry) throws IOException;

  /** The scheduler's code in the compressed form it is kept in. */
  Optional<byte[]> packedCode(String hash) throws IOException;

  /** The scheduler's code as a JSON object with its {@code files}. */
  Optional<Map<String, Object>> code(String hash) throws IOException;
}
