package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class NotServingTest {
  private static void check(Exception failure, int port, ExitCode code, String message) {
    var why = NotServing.because(failure, "here", port);
    assertThat(why).hasMessage(message);
    assertThat(why.exitCode()).isEqualTo(code);
  }

  @Test
  void onlyAnUnavailableAddressIsReportedAsOne() {
    check(
        new BindException("Address already in use"),
        8379,
        ExitCode.BIND,
        "cannot listen on here:8379: Address already in use; is another agent running, or does"
            + " --port help?");
    check(
        new SocketException("Permission denied"),
        80,
        ExitCode.BIND,
        "cannot listen on here:80: Permission denied; ports below 1024 are for root: give another"
            + " --port");
    check(
        new UnknownHostException("here"),
        80,
        ExitCode.BIND,
        "cannot listen on here:80: nobody knows the address of here; give another --host");
  }

  @Test
  void otherFailuresAreReported() {
    check(
        new NoSuchFileException("page.html"),
        80,
        ExitCode.SETUP,
        "the HTTP server does not start: java.nio.file.NoSuchFileException: page.html");
    check(
        new TimeoutException("no result within 30 s"),
        80,
        ExitCode.SETUP,
        "the HTTP server does not start: java.util.concurrent.TimeoutException: no result within"
            + " 30 s");
  }
}
