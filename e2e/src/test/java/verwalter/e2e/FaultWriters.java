package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.FaultyCluster.soon;

import java.util.ArrayList;
import java.util.List;

/** Writers of a test, one on each of some nodes. */
final class FaultWriters implements AutoCloseable {
  private final List<FaultWriter> writers = new ArrayList<>();

  /**
   * Starts a writer on each node, and waits until all have written.
   *
   * @param name the beginning of all that they write
   */
  void start(List<FaultyNode> nodes, String name) {
    for (var node : nodes) {
      writers.add(FaultWriter.start(node.client(), name + "-" + node));
    }
    soon(() -> assertThat(writers).allMatch(FaultWriter::hasWritten));
  }

  /** Ends the writers, and waits until each of these nodes shows what they wrote. */
  void check(List<FaultyNode> nodes) {
    end();
    for (var node : nodes) {
      soon(
          () -> {
            var faults = new ArrayList<String>();
            writers.forEach(writer -> faults.addAll(writer.faults(node.client())));
            assertThat(faults).as("seen by " + node).isEmpty();
          });
    }
  }

  private void end() {
    writers.forEach(FaultWriter::stop);
    writers.forEach(FaultWriter::close);
  }

  /** Ends the writers, and forgets what they wrote. */
  @Override
  public void close() {
    end();
    writers.clear();
  }
}
