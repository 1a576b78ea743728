--- integers
print(string.format("%d %5d %-5d| %05d %+d % d %i", 42, 42, 42, 42, 42, 42, 42))
--- integers with a precision
print(string.format("%.3d %5.3d %-6.3d| %.0d|", 7, 7, 7, 0))
--- negative integers
print(string.format("%d %5d %05d %x", -42, -42, -42, -1))
--- octal and hexadecimal
print(string.format("%o %x %X %#x %#o %#X %08x", 8, 255, 255, 255, 8, 255, 255))
--- unsigned
print(pcall(string.format, "%u", 42))
--- characters
print(string.format("%c%c%c", 76, 117, 97), #string.format("%c", 0), string.format("%5c|%-5c|", 65, 66))
--- fixed floats
print(string.format("%f %.2f %8.3f %-8.1f| %08.2f %+.1f %.0f %#.0f", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 2.5, 3))
--- scientific floats
print(string.format("%e %.2e %E %12.3e %.0e", 12345.678, 12345.678, 0.00012, -5.5, 15))
--- general floats
print(string.format("%g %g %g %g %g %.3g %#g %G", 100000, 1000000, 0.0001, 0.00001, 1e20, 3.14159, 1.5, 1e-10))
--- general floats with fourteen and seventeen digits
print(string.format("%.14g %.17g %.17g %.20g", 0.1, 0.1, 1/3, 0.1))
--- hexadecimal floats
print(string.format("%a %a %a %.2a %A", 1, 0.5, -3.75, 1/3, 255.5))
--- infinities and nans
print(string.format("%f %e %g %5.1f %E", 1/0, -1/0, 1/0, 1/0, 1/0))
print((string.format("%.1f %g", 0/0, -(0/0))))
--- strings
print(string.format("%s %5s|%-5s|%.2s|%5.1s|", "abc", "abc", "abc", "abc", "abc"))
--- any value is a string
print(string.format("%s %s %s %s", nil, true, 1.5, setmetatable({}, {__tostring = function() return "T" end})))
print(string.format("%10s|%-10s|", true, nil))
--- a string with zeros
print(#string.format("%s", "a\0b"), pcall(string.format, "%5s", "a\0b"))
--- long strings without a precision are copied
print(#string.format("%s", ("x"):rep(200)))
--- quoted strings
print(string.format("%q", 'a "quoted"\n\\ \0 \r \1272 tab\t'))
--- quoted values
print(string.format("%q %q %q %q", 1, 1.5, true, nil), string.format("%q", math.mininteger))
print(string.format("%q %q", 1e100, 1/0), string.format("%q", -1/0))
print(pcall(string.format, "%q", {}))
--- percent signs
print(string.format("100%%"), string.format("%%%d%%", 5))
--- missing arguments
print(pcall(string.format, "%d"))
print(pcall(string.format, "%s %s", 1))
--- surplus arguments are ignored
print(string.format("%d", 1, 2, 3))
--- integers from floats and strings
print(string.format("%d %d %d", 3.0, "10", "0x10"), pcall(string.format, "%d", 3.5))
print(pcall(string.format, "%d", "3.5"))
print(pcall(string.format, "%d", "x"))
print(pcall(string.format, "%d", {}))
print(pcall(string.format, "%x", 2^63))
--- floats from integers and strings
print(string.format("%.1f %.1f %g", 3, "2.55", "0x10"), pcall(string.format, "%f", "x"))
--- invalid conversions
print(pcall(string.format, "%y", 1))
print(pcall(string.format, "%", 1))
print(pcall(string.format, "%10", 1))
print(pcall(string.format, "%0123d", 1))
print(pcall(string.format, "%.123d", 1))
print(pcall(string.format, "%-+ #0-d", 1))
--- width of two digits
print(#string.format("%99d", 1), #string.format("%-99s", "x"), #string.format("%.99f", 1/3))
--- large numbers in fixed notation
print(string.format("%.0f", 2^63), string.format("%.0f", 1e22), string.format("%.3f", 1e15))
--- rounding is exact
print(string.format("%.2f %.2f %.1f %.0f %.0f", 2.675, 1.005, 0.25, 0.5, 1.5))
--- alternate forms
print(string.format("%#.3x|%#5x|%-#8x|%#g|%#.0e", 255, 255, 255, 1, 1))
--- signs and blanks
print(string.format("%+d % d %+5d % 5d %+.1f % .1f", 5, 5, 5, 5, 5, 5))
--- zero padding of signs
print(string.format("%05d|%+05d|%-05d|%05.1f|%05x", -3, 3, 3, -1.5, 10))
--- a format that is a number
print(string.format(5), pcall(string.format))
