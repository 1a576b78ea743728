package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with a umask of 0 that has no Bouncy Castle. */
class WithoutSigningTest {
  @TempDir Path temporary;

  @Test
  void usesCertificatesWithoutTheLibraryThatSignsThem() throws Exception {
    var authority = new TestAuthority();
    var pki = new Pki(PkiFiles.in(temporary.resolve("pki")));
    pki.installTrust(authority.trust());
    pki.installNode(authority.node("n1"));
    var copy = temporary.resolve("deep/copy");
    var classes =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(it -> !it.contains("bouncycastle"))
            .collect(Collectors.joining(File.pathSeparator));
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    var process =
        new ProcessBuilder(
                "sh",
                "-c",
                "umask 000; exec \"$@\"",
                "sh",
                java,
                "-cp",
                classes,
                "-XX:TieredStopAtLevel=1",
                WithoutSigning.class.getName(),
                temporary.resolve("pki").toString(),
                copy.toString())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(output).isEqualTo("connected\n");
    assertThat(process.waitFor()).isZero();
    assertThat(PkiTest.mode(temporary.resolve("deep"))).isEqualTo("rwx------");
    assertThat(PkiTest.mode(copy)).isEqualTo("rwx------");
    try (var files = Files.list(copy)) {
      for (var each : files.toList()) {
        assertThat(PkiTest.mode(each)).isEqualTo("rw-------");
      }
    }
  }
}
