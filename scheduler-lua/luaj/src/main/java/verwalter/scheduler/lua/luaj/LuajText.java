package verwalter.scheduler.lua.luaj;

import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import verwalter.scheduler.lua.text.Numerals;
import verwalter.scheduler.lua.text.Subject;

/** Converts strings and numbers between luaj and Java; a byte is a character from 0 to 255. */
final class LuajText {
  static String latin1(LuaString text) {
    return new String(text.m_bytes, text.m_offset, text.m_length, StandardCharsets.ISO_8859_1);
  }

  static LuaString lua(String latin1) {
    return LuaString.valueUsing(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  static LuaString utf8(String text) {
    return LuaString.valueUsing(text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] bytes(LuaString text) {
    var bytes = new byte[text.m_length];
    System.arraycopy(text.m_bytes, text.m_offset, bytes, 0, text.m_length);
    return bytes;
  }

  static LuaString part(LuaString text, int from, int to) {
    return LuaString.valueOf(text.m_bytes, text.m_offset + from, to - from);
  }

  /** A number in Lua's format; a float without a fraction counts as an integer here. */
  static String number(LuaValue number) {
    if (number instanceof LuaInteger) {
      return number.tojstring();
    }
    double value = number.todouble();
    var exact = Numerals.exact(value);
    return exact != null ? exact.toString() : Numerals.text(value);
  }

  static LuaValue number(Number number) {
    return number instanceof Long whole
        ? LuaInteger.valueOf(whole.longValue())
        : LuaValue.valueOf(number.doubleValue());
  }

  static Subject subject(LuaString text) {
    var bytes = text.m_bytes;
    int offset = text.m_offset;
    int length = text.m_length;
    return new Subject() {
      @Override
      public int length() {
        return length;
      }

      @Override
      public int at(int index) {
        return bytes[offset + index] & 0xff;
      }
    };
  }

  private LuajText() {}
}
