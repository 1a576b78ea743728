package verwalter.supervisor.lithos;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Parses IP addresses; host names are not resolved. */
final class Addresses {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  static boolean isAddress(String text) {
    if (V4.matcher(text).matches()) {
      return true;
    }
    try {
      return V6.matcher(text).matches() && InetAddress.getByName(text).getAddress().length > 0;
    } catch (UnknownHostException notOne) {
      return false;
    }
  }

  private Addresses() {}
}
