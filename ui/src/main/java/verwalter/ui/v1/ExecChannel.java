package verwalter.ui.v1;

import java.util.Arrays;
import java.util.Optional;

/**
 * The channels of a session of {@code vw exec}. The first byte of each message is the number of its
 * channel, as in the subprotocol {@code v5.channel.k8s.io} of Kubernetes.
 */
enum ExecChannel {
  /** From the client: bytes for the standard input. */
  INPUT(0),
  /** To the client: bytes of the standard output. */
  OUTPUT(1),
  /** To the client: bytes of the standard error. */
  ERRORS(2),
  /** To the client, last: {@code {"exitCode": N}} or {@code {"error": TEXT}}. */
  RESULT(3),
  /** From the client: first the command, then each new size of the terminal. */
  CONTROL(4),
  /** From the client: the end of the standard input. */
  END_OF_INPUT(255);

  private final int number;

  ExecChannel(int number) {
    this.number = number;
  }

  byte number() {
    return (byte) number;
  }

  /** The channel of a message; empty if there is none. */
  static Optional<ExecChannel> of(byte first) {
    return Arrays.stream(values()).filter(it -> it.number() == first).findFirst();
  }
}
