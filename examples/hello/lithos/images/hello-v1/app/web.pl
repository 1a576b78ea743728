#!/usr/bin/perl
# web.pl VERSION PORT: says hello over HTTP. Needs only perl-base.
use strict;
use warnings;
use IO::Socket::INET;
use POSIX qw(strftime);

my ($version, $port) = @ARGV;
die "usage: web.pl VERSION PORT\n" unless defined $port;
$| = 1;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { note("asked to stop"); exit 0 };

my $name = $ENV{LITHOS_NAME} // 'web';
my $requests = 0;

sub note { print strftime('%H:%M:%S', localtime), " $name: @_\n" }

# Reads the head of a request; returns its first line, or nothing if it is too slow or too long.
sub request_line {
    my ($client) = @_;
    my ($head, $deadline) = ('', time + 2);
    while ($head !~ /\r?\n\r?\n/ and length $head < 16_384 and time < $deadline) {
        vec(my $ready = '', fileno $client, 1) = 1;
        select($ready, undef, undef, 1) or next;
        sysread($client, $head, 4096, length $head) or last;
    }
    return $head =~ /\A([A-Z]+ \S+) HTTP\/1\.[01]\r?\n.*?\r?\n\r?\n/s ? $1 : undef;
}

my $server = IO::Socket::INET->new(
    LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1
) or die "cannot listen on port $port: $@\n";
note("version $version, pid $$, listening on http://127.0.0.1:$port/");

while (1) {
    my $client = $server->accept or next;
    my $asked = request_line($client);
    my ($status, $body) = ('200 OK', '');
    if (!defined $asked) {
        ($status, $body) = ('400 Bad Request', "I do not understand.\n");
    } else {
        $requests++;
        $body = "Hello from $name: version $version, pid $$, port $port, request $requests\n";
    }
    print $client "HTTP/1.1 $status\r\nContent-Type: text/plain\r\n",
        'Content-Length: ', length $body, "\r\nConnection: close\r\n\r\n", $body;
    close $client;
}
