package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PkiTest {
  @TempDir Path temporary;
  private final TestAuthority authority = new TestAuthority();

  @Test
  void keepsWhatIsInstalled() throws Exception {
    var node = authority.node("n1");
    var pki = new Pki(PkiFiles.in(temporary.resolve("pki")));
    pki.installTrust(authority.trust());
    pki.installNode(node);
    pki.installAuthority(authority.credential);

    var reopened = new Pki(PkiFiles.in(temporary.resolve("pki")));

    assertThat(reopened.node()).isEqualTo(node);
    assertThat(reopened.trust()).isEqualTo(authority.trust());
    assertThat(reopened.authority()).contains(authority.credential);
    assertThat(reopened.nextAuthority()).isEmpty();
  }

  @Test
  void replacesFilesInOneStep() throws Exception {
    var directory = temporary.resolve("pki");
    var pki = new Pki(PkiFiles.in(directory));
    pki.installNode(authority.node("n1"));
    var renewed = authority.node("n1");

    pki.installNode(renewed);

    assertThat(pki.node()).isEqualTo(renewed);
    assertThat(directory).isDirectoryContaining("glob:**/node.pem");
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void ignoresTheRestOfAnInterruptedWrite() throws Exception {
    var directory = temporary.resolve("pki");
    var node = authority.node("n1");
    new Pki(PkiFiles.in(directory)).installNode(node);
    var rest = Files.writeString(directory.resolve("node.pem.new"), "-----BEGIN PRIV");

    assertThat(new Pki(PkiFiles.in(directory)).node()).isEqualTo(node);
    assertThat(rest).doesNotExist();
  }

  @Test
  void goesOnWithThePreviousContentOfABrokenFile() throws Exception {
    var files = new TestAuthority.MemoryFiles();
    var pki = new Pki(files);
    var node = authority.node("n1");
    pki.installNode(node);
    assertThat(pki.node()).isEqualTo(node);

    files.write(Pki.NODE, "broken");
    assertThat(pki.node()).isEqualTo(node);

    var next = authority.node("n1");
    pki.installNode(next);
    assertThat(pki.node()).isEqualTo(next);
  }

  @Test
  void namesTheFileThatCannotBeUsed() throws Exception {
    var directory = temporary.resolve("pki");
    var files = PkiFiles.in(directory);
    files.write(Pki.NODE, authority.credential.pem().replace("PRIVATE", "PUBLIC"));

    assertThatThrownBy(() -> new Pki(files).node())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.resolve(Pki.NODE) + " cannot be used: there are 0");
    assertThatThrownBy(() -> new Pki(files).trust())
        .hasMessageContaining("this node is in no cluster");
  }

  @Test
  void refusesAKeyOfAnotherCertificate() throws Exception {
    var files = new TestAuthority.MemoryFiles();
    files.write(
        Pki.NODE, Pem.of(authority.node("n1").key()) + Pem.of(authority.node("n1").chain()));

    assertThatThrownBy(() -> new Pki(files).node())
        .hasMessageContaining("the private key does not belong to the certificate");
  }

  @Test
  void restrictsTheAccessToAnExistingDirectory() throws Exception {
    var directory = temporary.resolve("pki");
    PkiFiles.in(directory).write(Pki.TRUST, "x");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        directory.resolve(Pki.TRUST), PosixFilePermissions.fromString("rw-r--r--"));

    PkiFiles.in(directory);

    assertThat(mode(directory)).isEqualTo("rwx------");
    assertThat(mode(directory.resolve(Pki.TRUST))).isEqualTo("rw-------");
  }

  static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
