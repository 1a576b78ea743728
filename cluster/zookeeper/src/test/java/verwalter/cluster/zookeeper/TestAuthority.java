package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;
import verwalter.stores.zookeeper.TlsFiles;

/** An authority that issues certificates with the tool of the JDK. */
final class TestAuthority {
  private static final String PASSWORD = "changeit";
  private final Path directory;
  private final Path store;
  private final Path certificate;
  private int issued;

  TestAuthority(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.store = directory.resolve("authority.p12");
    this.certificate = directory.resolve("authority.pem");
    keytool(
        store,
        "-genkeypair",
        "-alias",
        "ca",
        "-dname",
        "CN=authority",
        "-keyalg",
        "EC",
        "-ext",
        "bc:c",
        "-validity",
        "30");
    keytool(store, "-exportcert", "-alias", "ca", "-rfc", "-file", certificate.toString());
  }

  /** An identity that accepts all certificates of the authority. */
  static TlsIdentity identity(TlsFiles files) {
    try {
      return new TlsIdentity(
          (X509ExtendedKeyManager) X509Util.createKeyManager(files.key().toString(), "", "PEM"),
          (X509ExtendedTrustManager)
              X509Util.createTrustManager(
                  files.authorities().toString(),
                  "",
                  "PEM",
                  false,
                  false,
                  false,
                  false,
                  false,
                  true));
    } catch (X509Exception unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** Issues a certificate for a name and 127.0.0.1. */
  TlsFiles issue(String name) throws IOException {
    var node = directory.resolve(name + "-" + ++issued + ".p12");
    var request = directory.resolve(name + ".csr");
    var signed = directory.resolve(name + ".crt");
    keytool(node, "-genkeypair", "-alias", "node", "-dname", "CN=" + name, "-keyalg", "EC");
    keytool(node, "-certreq", "-alias", "node", "-file", request.toString());
    keytool(
        store,
        "-gencert",
        "-alias",
        "ca",
        "-rfc",
        "-infile",
        request.toString(),
        "-outfile",
        signed.toString(),
        "-validity",
        "30",
        "-ext",
        "san=ip:127.0.0.1,dns:" + name);
    var key = directory.resolve(name + "-" + issued + ".pem");
    Files.writeString(key, privateKey(node) + Files.readString(signed));
    return new TlsFiles(key, certificate);
  }

  private static String privateKey(Path store) throws IOException {
    try (var in = Files.newInputStream(store)) {
      var keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Key key = keys.getKey("node", PASSWORD.toCharArray());
      return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
          .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded()));
    } catch (GeneralSecurityException unreadable) {
      throw new IOException(unreadable);
    }
  }

  private static void keytool(Path store, String... arguments) throws IOException {
    var command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/keytool", arguments[0]));
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", PASSWORD, "-J-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(arguments).subList(1, arguments.length));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed");
      }
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }
}
