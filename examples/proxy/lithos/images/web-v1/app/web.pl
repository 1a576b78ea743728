#!/usr/bin/perl
# web.pl PORT: answers every request with its port and pid. On SIGTERM it answers open connections
# and then ends. Needs only perl-base.
use strict;
use warnings;
use IO::Socket::INET;

my ($port) = @ARGV;
die "usage: web.pl PORT\n" unless defined $port;
my $stopping = 0;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = sub { $stopping = 1 };

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1)
    or die "cannot listen on port $port: $@\n";

while (1) {
    vec(my $ready = '', fileno $server, 1) = 1;
    my $waiting = select($ready, undef, undef, $stopping ? 0 : 1); # in case TERM came just before
    last if $stopping and $waiting <= 0;
    next if $waiting <= 0;
    my $client = $server->accept or next;
    sysread($client, my $asked, 16_384);
    my $body = "port $port, pid $$\n";
    print $client "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ", length $body, "\r\n\r\n", $body;
    close $client;
}
