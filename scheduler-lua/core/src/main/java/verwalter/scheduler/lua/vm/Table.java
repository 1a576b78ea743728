package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.text.Numerals;

/**
 * A Lua table: a list of items, and the other entries in the order in which their keys were first
 * set. An entry that is set to nil keeps its place without a value until the table next grows, so a
 * table may be cleared during iteration. The last item of the list is never nil, and the key after
 * it is never among the other entries.
 */
final class Table {
  private static final int BYTES = 64;
  private static final int ITEM_BYTES = 16;
  private static final int ENTRY_BYTES = 48;

  /** Marks an integer key, whose value is in {@link #numbers}. */
  private static final Object INTEGER = new Object();

  private static final @Nullable Object[] EMPTY = {};
  private static final int[] NO_INDEX = {};

  private final Meter meter;
  @Nullable Table metatable;
  private @Nullable Object[] items = EMPTY;
  private int size;
  private @Nullable Object[] keys = EMPTY;
  private long[] numbers = {};
  private @Nullable Object[] values = EMPTY;
  private int used;
  private int shift = 31;
  private int[] index = NO_INDEX; // open addressing; 1 + the index of the entry, 0 if free

  Table(Meter meter) {
    this.meter = meter;
    meter.allocate(BYTES);
  }

  /** A table with capacity for some items and entries. */
  Table(Meter meter, int items, int entries) {
    this(meter);
    if (items > 0) {
      meter.allocate((long) items * ITEM_BYTES);
      this.items = new @Nullable Object[items];
    }
    if (entries > 0) {
      resize(entries);
    }
  }

  /** The number of items of the list: a border, in the manual's terms. */
  long length() {
    return size;
  }

  @Nullable Object get(@Nullable Object key) {
    if (key instanceof Long number) {
      return get(number.longValue());
    }
    if (key instanceof String text) {
      return get(text);
    }
    if (key instanceof Double number) {
      var exact = Numerals.exact(number);
      if (exact != null) {
        return get(exact.longValue());
      }
    }
    return key == null ? null : entry(key);
  }

  @Nullable Object get(long key) {
    if (key >= 1 && key <= size) {
      return items[(int) key - 1];
    }
    int place = find(key);
    return place < 0 ? null : values[place];
  }

  @Nullable Object get(String key) {
    int mask = index.length - 1;
    if (mask < 0) {
      return null;
    }
    for (int at = slot(key.hashCode()); ; at = (at + 1) & mask) {
      int place = index[at];
      if (place == 0) {
        return null;
      }
      var other = keys[place - 1];
      if (key.equals(other)) {
        return values[place - 1];
      }
    }
  }

  private @Nullable Object entry(Object key) {
    int place = find(key);
    return place < 0 ? null : values[place];
  }

  /** The start of a search in the index; consecutive keys are spread. */
  private int slot(int hash) {
    return (hash * 0x9e3779b9) >>> shift;
  }

  private int find(long key) {
    int mask = index.length - 1;
    if (mask < 0) {
      return -1;
    }
    for (int at = slot(Long.hashCode(key)); ; at = (at + 1) & mask) {
      int place = index[at];
      if (place == 0) {
        return -1;
      }
      if (keys[place - 1] == INTEGER && numbers[place - 1] == key) {
        return place - 1;
      }
    }
  }

  private int find(Object key) {
    if (key instanceof Long number) {
      return find(number.longValue());
    }
    int mask = index.length - 1;
    if (mask < 0) {
      return -1;
    }
    for (int at = slot(key.hashCode()); ; at = (at + 1) & mask) {
      int place = index[at];
      if (place == 0) {
        return -1;
      }
      if (key.equals(keys[place - 1])) {
        return place - 1;
      }
    }
  }

  /** Sets a field; the key is neither nil nor NaN. */
  void set(Object key, @Nullable Object value) {
    if (key instanceof Long number) {
      set(number.longValue(), value);
      return;
    }
    if (key instanceof Double number) {
      var exact = Numerals.exact(number);
      if (exact != null) {
        set(exact.longValue(), value);
        return;
      }
    }
    setEntry(key, value);
  }

  void set(long key, @Nullable Object value) {
    if (key >= 1 && key <= size) {
      items[(int) key - 1] = value;
      if (value == null && key == size) {
        shrink();
      }
    } else if (key == size + 1L) {
      if (value != null) {
        append(value);
      } else if (used > 0) {
        setEntry(key, null);
      }
    } else {
      setEntry(key, value);
    }
  }

  private void shrink() {
    while (size > 0 && items[size - 1] == null) {
      size--;
    }
  }

  private void append(Object value) {
    if (used > 0) {
      int place = find(size + 1L);
      if (place >= 0) {
        values[place] = null;
      }
    }
    grow(size + 1);
    items[size++] = value;
    pull();
  }

  /** Moves the entries that follow the list now into it. */
  private void pull() {
    while (used > 0) {
      int place = find(size + 1L);
      var next = place < 0 ? null : values[place];
      if (next == null) {
        return;
      }
      values[place] = null;
      grow(size + 1);
      items[size++] = next;
    }
  }

  private void grow(int wanted) {
    if (wanted > items.length) {
      int capacity = Math.max(4, Math.max(wanted, items.length * 2));
      meter.allocate((long) capacity * ITEM_BYTES);
      items = Arrays.copyOf(items, capacity);
    }
  }

  /**
   * Sets the list, including nils, for a constructor. Earlier entries with keys of the list are
   * replaced.
   */
  void fill(@Nullable Object[] list) {
    int end = list.length;
    if (end == 0) {
      return;
    }
    for (long key = 1; used > 0 && key <= end; key++) {
      int place = find(key);
      if (place >= 0) {
        values[place] = null;
      }
    }
    grow(end);
    System.arraycopy(list, 0, items, 0, end);
    size = end;
    if (items[end - 1] == null) {
      settle();
    } else {
      pull();
    }
  }

  /** Finds the same border as PUC Lua; values behind it become entries. */
  private void settle() {
    int end = size;
    int present = 0;
    int absent = end;
    while (absent - present > 1) {
      int middle = (present + absent) >>> 1;
      if (items[middle - 1] == null) {
        absent = middle;
      } else {
        present = middle;
      }
    }
    size = present;
    for (int i = present; i < end; i++) {
      var value = items[i];
      items[i] = null;
      if (value != null) {
        setEntry(i + 1L, value);
      }
    }
  }

  private void setEntry(Object key, @Nullable Object value) {
    int place = find(key);
    if (place >= 0) {
      values[place] = value;
      return;
    }
    if (value != null) {
      add(key, 0, key.hashCode(), value);
    }
  }

  private void setEntry(long key, @Nullable Object value) {
    int place = find(key);
    if (place >= 0) {
      values[place] = value;
      return;
    }
    if (value != null) {
      add(INTEGER, key, Long.hashCode(key), value);
    }
  }

  private void add(Object key, long number, int hash, Object value) {
    if (used == keys.length) {
      int live = live();
      resize(Math.max(4, live * 2 > used ? used * 2 : used));
    }
    keep(key, number, value);
    insert(hash, used);
  }

  private void keep(Object key, long number, @Nullable Object value) {
    keys[used] = key;
    values[used] = value;
    if (key == INTEGER) {
      if (numbers.length < keys.length) {
        numbers = Arrays.copyOf(numbers, keys.length);
      }
      numbers[used] = number;
    }
    used++;
  }

  private int live() {
    int live = 0;
    for (int i = 0; i < used; i++) {
      if (values[i] != null) {
        live++;
      }
    }
    return live;
  }

  private void resize(int capacity) {
    meter.allocate((long) capacity * ENTRY_BYTES);
    var oldKeys = keys;
    var oldValues = values;
    var oldNumbers = numbers;
    int oldUsed = used;
    numbers = new long[0];
    keys = new @Nullable Object[capacity];
    values = new @Nullable Object[capacity];
    index = new int[Integer.highestOneBit(capacity * 2 - 1) * 2];
    shift = Integer.numberOfLeadingZeros(index.length) + 1;
    used = 0;
    for (int i = 0; i < oldUsed; i++) {
      var key = oldKeys[i];
      if (key != null && oldValues[i] != null) {
        long number = key == INTEGER ? oldNumbers[i] : 0;
        keep(key, number, oldValues[i]);
        insert(key == INTEGER ? Long.hashCode(number) : key.hashCode(), used);
      }
    }
  }

  private void insert(int hash, int place) {
    int mask = index.length - 1;
    int at = slot(hash);
    while (index[at] != 0) {
      at = (at + 1) & mask;
    }
    index[at] = place;
  }

  // Walking

  /** The first cursor at or after one that has a value, or -1; iteration begins at 0. */
  int advance(int cursor) {
    for (int at = cursor; at < size; at++) {
      if (items[at] != null) {
        return at;
      }
    }
    for (int i = Math.max(cursor - items.length, 0); i < used; i++) {
      if (values[i] != null) {
        return items.length + i;
      }
    }
    return -1;
  }

  /** The cursor after all entries. */
  int end() {
    return items.length + used;
  }

  Object keyAt(int cursor) {
    if (cursor < items.length) {
      return cursor + 1L;
    }
    var key = keys[cursor - items.length];
    if (key == null) {
      throw new IllegalStateException("no key at a cursor that has a value");
    }
    return key == INTEGER ? (Long) numbers[cursor - items.length] : key;
  }

  @Nullable Object valueAt(int cursor) {
    return cursor < items.length ? items[cursor] : values[cursor - items.length];
  }

  /** The cursor after that of a key, or -1 if the table never had the key. */
  int after(Object key) {
    var exact = key instanceof Double number ? Numerals.exact(number) : null;
    Object normal = exact != null ? exact : key;
    int place = find(normal);
    if (normal instanceof Long number && number >= 1 && number <= items.length) {
      if (place < 0 || number <= size) {
        return number.intValue();
      }
    }
    return place < 0 ? -1 : items.length + place + 1;
  }
}
