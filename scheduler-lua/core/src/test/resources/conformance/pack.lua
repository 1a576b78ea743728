--- integers of fixed sizes
print(string.pack("b", -2):byte(1, -1))
print(string.pack("<h", 0x1234):byte(1, -1))
print(string.pack(">h", 0x1234):byte(1, -1))
print(string.pack("<i4", -2):byte(1, -1))
print(string.pack(">I8", 0x0102030405060708):byte(1, -1))
--- sizes of types
print(string.packsize("b"), string.packsize("h"), string.packsize("i"), string.packsize("l"), string.packsize("j"), string.packsize("T"), string.packsize("f"), string.packsize("d"), string.packsize("n"))
--- integers of odd sizes
print(string.pack("<i3", -1):byte(1, -1))
print(string.unpack("<i3", string.pack("<i3", -70000)))
print(string.pack("<I16", 5):byte(1, -1))
print(string.unpack("<i16", string.pack("<i16", -5)))
--- overflow
print(pcall(string.pack, "b", 128))
print(pcall(string.pack, "B", 256))
print(pcall(string.pack, "<i2", 40000))
print(pcall(string.pack, "i17", 1))
print(pcall(string.pack, "i0", 1))
--- floats
print(string.unpack("<d", string.pack("<d", 1.5)), string.unpack(">f", string.pack(">f", 0.25)))
print(string.pack(">d", 1):byte(1, -1))
--- strings with a length
print(string.unpack("s1", string.pack("s1", "hello")))
print(#string.pack("s", "abc"), string.pack("<s2", "ab"):byte(1, -1))
print(pcall(string.pack, "s1", ("x"):rep(300)))
--- strings that end with zero
print(string.pack("z", "abc"):byte(1, -1))
print(string.unpack("z", "abc\0def"))
print(pcall(string.pack, "z", "a\0b"))
print(pcall(string.unpack, "z", "abc"))
--- strings of fixed size
print(#string.pack("c10", "abc"), string.unpack("c3", "abcdef"))
print(pcall(string.pack, "c2", "abc"))
print(pcall(string.pack, "c", "abc"))
--- padding
print(string.pack("bxb", 1, 2):byte(1, -1))
print(#string.pack("!4 b i4", 1, 2), #string.pack("!4 b Xi4 b", 1, 2), #string.pack("b i4", 1, 2))
print(pcall(string.pack, "!3 b i3", 1, 2))
print(pcall(string.pack, "X", 1))
--- several values
print(string.unpack("<bhi4", string.pack("<bhi4", 1, 2, 3)))
--- positions
print(string.unpack("b", "abc", 2), string.unpack("b", "abc", -1))
print(pcall(string.unpack, "b", "abc", 5))
print(pcall(string.unpack, "i4", "abc"))
--- packsize of variable sizes
print(pcall(string.packsize, "s"))
print(pcall(string.packsize, "z"))
print(string.packsize("<!8 b d"), string.packsize("i3 i3"))
--- invalid options
print(pcall(string.pack, "y", 1))
print(pcall(string.unpack, "@", "x"))
--- integers that do not fit
print(pcall(string.unpack, "<I9", ("\255"):rep(9)))
print(string.unpack("<i9", ("\255"):rep(9)))
--- blanks are ignored
print(string.packsize(" b  b "), string.packsize(""))
--- endianness may change within
print(string.pack("<h>h=b", 1, 1, 1):byte(1, -1))
--- missing values
print(pcall(string.pack, "d", "x"))
print(pcall(string.pack, "i4", 1.5))
--- a missing argument
print(pcall(string.pack, "<i4"))
print(pcall(string.pack, "z"))
print(pcall(string.pack, "<dd", 1))
print(pcall(string.pack))
