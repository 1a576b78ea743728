#!/usr/bin/perl
# web.pl VERSION PORT: answers every request with its version. Needs only perl-base.
use strict;
use warnings;
use IO::Socket::INET;

my ($version, $port) = @ARGV;
die "usage: web.pl VERSION PORT\n" unless defined $port;
$| = 1;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { exit 0 };

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1)
    or die "cannot listen on port $port: $@\n";
print "version $version, pid $$, listening on http://127.0.0.1:$port/\n";

while (1) {
    my $client = $server->accept or next;
    vec(my $ready = '', fileno $client, 1) = 1;
    select($ready, undef, undef, 2) and sysread($client, my $asked, 16_384);
    my $body = "The shop, version $version, port $port\n";
    print $client "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ", length $body,
        "\r\nConnection: close\r\n\r\n", $body;
    close $client;
}
