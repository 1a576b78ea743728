package verwalter.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.codec.Codec;

class ProcessSpecTest {
  private static final ProcessSpec WEB =
      ProcessSpec.ofImage(
          ProcessSpec.Type.DAEMON,
          "shop/7f3a91c",
          "/config/web.yaml",
          3,
          Map.of("port", "8080"),
          List.of(),
          List.of("common"));

  /** A process as stored by version 0.1.0. */
  private static final String STORED =
      """
      {"apiVersion":"verwalter.io/v1","kind":"ProcessGroup","metadata":{"name":"shop@alpha"},\
      "spec":{"role":"shop","node":"alpha","sandbox":"shop","processes":{"web":{"kind":"Daemon",\
      "image":"shop/7f3a91c","config":"/config/web.yaml","instances":3,\
      "variables":{"port":"8080"},"ipAddresses":[],"secretsNamespaces":["common"]}}}}\
      """;

  private static final ProcessSpec.Command EVERYTHING =
      new ProcessSpec.Command(
          List.of("/usr/bin/perl", "web.pl"),
          Optional.of(1000L),
          List.of(1000L, 44L),
          Optional.of("/srv"),
          Map.of("MODE", "primary"),
          Map.of("http", 8080L),
          new ProcessSpec.Limits(Optional.of(64L << 20), Optional.of(512L), Optional.of(4096)),
          List.of(
              new ProcessSpec.Probe(
                  ProcessSpec.Purpose.LIVENESS,
                  Optional.of("http://127.0.0.1:8080/health"),
                  Optional.empty(),
                  List.of(),
                  10,
                  1,
                  1,
                  3,
                  200,
                  399)),
          Optional.of(new ProcessSpec.Stop("SIGINT", 30, Optional.of(4), List.of("db"))),
          Optional.of("027"));

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(ProcessSpec spec) {
    return Resource.of(
        ProcessGroup.KIND,
        ProcessGroup.name("shop", "alpha"),
        new ProcessGroup.Spec("shop", "alpha", "shop", Map.of("web", spec)));
  }

  @Test
  void readsProcessesStoredByVersion010() throws Exception {
    assertThat(Codec.fromJson(STORED.getBytes(UTF_8))).isEqualTo(group(WEB));
  }

  @Test
  void readsTheSameFormFromUsers() throws Exception {
    assertThat(Codec.read(STORED, "stored")).isEqualTo(List.of(group(WEB)));
  }

  @Test
  void aCommandReadsBack() throws Exception {
    var group = group(ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 2, EVERYTHING));

    assertThat(Codec.fromJson(Codec.json(group))).isEqualTo(group);
    assertThat(Codec.read(Codec.yaml(group), "group")).isEqualTo(List.of(group));
  }

  @Test
  void aCopyWithOtherArgumentsKeepsEverythingElse() {
    assertThat(
            EVERYTHING.withArguments(List.of("/bin/other")).withArguments(EVERYTHING.arguments()))
        .isEqualTo(EVERYTHING);
  }

  @Test
  void aCommandNeedsOnlyItsArguments() throws Exception {
    var text =
        STORED
            .replaceAll(
                "\"image\".*?\"instances\":3", "\"command\":{\"arguments\":[\"/bin/true\"]}")
            .replaceAll(",\"variables.*?\"common\"]", "");
    var expected =
        group(
            ProcessSpec.ofCommand(
                ProcessSpec.Type.DAEMON,
                0,
                ProcessSpec.Command.of(List.of("/bin/true"), Map.of())));

    assertThat(Codec.fromJson(text.getBytes(UTF_8))).isEqualTo(expected);
    assertThat(Codec.read(text, "text")).isEqualTo(List.of(expected));
  }

  @Test
  void anImageAndACommandTogetherAreRefused() {
    var both =
        STORED.replace("\"instances\"", "\"command\":{\"arguments\":[\"/bin/sh\"]},\"instances\"");

    assertThatThrownBy(() -> Codec.read(both, "both"))
        .hasMessageContaining("needs either an image and a config, or a command");
  }

  @Test
  void anImageWithoutAConfigIsRefused() {
    var half = STORED.replace("\"config\":\"/config/web.yaml\",", "");

    assertThatThrownBy(() -> Codec.read(half, "half"))
        .hasMessageContaining("needs either an image and a config, or a command");
  }

  @Test
  void aCommandWithoutArgumentsIsRefused() {
    assertThatThrownBy(() -> ProcessSpec.Command.of(List.of(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyDaemonsAreKeptRunning() {
    var command = ProcessSpec.Command.of(List.of("/bin/true"), Map.of());

    assertThat(ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 2, command).daemons()).isEqualTo(2);
    assertThat(ProcessSpec.ofCommand(ProcessSpec.Type.COMMAND, 2, command).daemons()).isZero();
  }

  @Test
  void theDisplayNameIsTheImageOrTheProgram() {
    assertThat(WEB.program()).isEqualTo("shop/7f3a91c");
    assertThat(ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 1, EVERYTHING).program())
        .isEqualTo("/usr/bin/perl");
  }

  @Test
  void aProcessIsStoppedByDefaultWithSigtermAndFiveSeconds() {
    assertThat(ProcessSpec.Command.of(List.of("/bin/true"), Map.of()).stopping())
        .isEqualTo(new ProcessSpec.Stop("SIGTERM", 5));
    assertThat(EVERYTHING.stopping())
        .isEqualTo(new ProcessSpec.Stop("SIGINT", 30, Optional.of(4), List.of("db")));
  }

  /** The text is in the notes of running processes, and in the digests of process groups. */
  @Test
  void aStopWithoutOrderIsWrittenAsBefore() throws Exception {
    var stop = new ProcessSpec.Stop("SIGINT", 30, Optional.of(4));
    var text = "{\"signal\":\"SIGINT\",\"seconds\":30,\"delay\":4}";
    assertThat(Codec.partJson(stop)).isEqualTo(text);
    assertThat(Codec.part(text, ProcessSpec.Stop.class)).isEqualTo(stop);
  }
}
