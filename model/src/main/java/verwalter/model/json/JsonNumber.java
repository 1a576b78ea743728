package verwalter.model.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigInteger;

/** Converts numbers to {@code Long}, {@code BigInteger} or {@code Double}. */
public final class JsonNumber {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);

  /** Whether the number is in the range of i64 or u64, the integers of schedules. */
  static boolean fits64(BigInteger number) {
    return number.signum() < 0 ? number.compareTo(MIN) >= 0 : number.bitLength() <= 64;
  }

  /** The narrower of {@code Long} and {@code BigInteger} that holds the number. */
  public static Number narrow(BigInteger number) {
    if (number.bitLength() < Long.SIZE) {
      return number.longValue();
    }
    return number;
  }

  /**
   * Reads a number as verwalter 0.13 does: integers outside i64 and u64, and minus zero, become
   * floating point numbers. The result may be infinite.
   */
  static Number inSchedule(JsonParser parser) throws IOException {
    var text = parser.getText();
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT || text.equals("-0")) {
      return Double.valueOf(text);
    }
    if (text.length() <= 18) {
      return Long.valueOf(text);
    }
    if (text.length() <= 20) {
      var integer = new BigInteger(text);
      if (fits64(integer)) {
        return narrow(integer);
      }
    }
    return Double.valueOf(text);
  }

  /**
   * Reads a number of an object: integers of any size stay integers. The result may be infinite.
   */
  static Number inObject(JsonParser parser) throws IOException {
    var text = parser.getText();
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      return Double.valueOf(text);
    }
    return text.length() <= 18 ? Long.valueOf(text) : narrow(new BigInteger(text));
  }

  private JsonNumber() {}
}
