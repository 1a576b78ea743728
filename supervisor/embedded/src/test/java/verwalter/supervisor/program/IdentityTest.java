package verwalter.supervisor.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessSpec;

/** Identities are stored in the notes on running processes: another text restarts every process. */
class IdentityTest {
  private static ProcessSpec command(ProcessSpec.Type type, String argument) {
    return ProcessSpec.ofCommand(
        type, 2, ProcessSpec.Command.of(List.of("/bin/sh", argument), Map.of("A", "1")));
  }

  @Test
  void theTextOfACommandStaysTheSame() {
    assertThat(Identity.of(command(ProcessSpec.Type.DAEMON, "-x"), 0))
        .isEqualTo(
            """
            {"command":"{\\"arguments\\":[\\"/bin/sh\\",\\"-x\\"],\\"groups\\":[],\\"environment\\":{\\"A\\":\\"1\\"},\
            \\"ports\\":{},\\"limits\\":{},\\"probes\\":[]}","kind":"Daemon"}""");
  }

  @Test
  void everyInstanceOfACommandHasTheSame() {
    var spec = command(ProcessSpec.Type.DAEMON, "-x");
    assertThat(Identity.of(spec, 1)).isEqualTo(Identity.of(spec, 0));
  }

  @Test
  void anotherCommandOrKindIsAnother() {
    var identity = Identity.of(command(ProcessSpec.Type.DAEMON, "-x"), 0);
    assertThat(Identity.of(command(ProcessSpec.Type.DAEMON, "-y"), 0)).isNotEqualTo(identity);
    assertThat(Identity.of(command(ProcessSpec.Type.COMMAND, "-x"), 0)).isNotEqualTo(identity);
  }
}
