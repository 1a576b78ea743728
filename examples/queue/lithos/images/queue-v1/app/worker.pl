#!/usr/bin/perl
# worker.pl PORT: accepts a job with each request; /metrics has the number of jobs.
use strict;
use warnings;
use IO::Socket::INET;

my ($port) = @ARGV;
die "usage: worker.pl PORT\n" unless defined $port;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { exit 0 };

my $jobs = 0;
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1)
    or die "cannot listen on port $port: $@\n";

while (1) {
    my $client = $server->accept or next;
    vec(my $ready = '', fileno $client, 1) = 1;
    my $asked = '';
    select($ready, undef, undef, 2) and sysread($client, $asked, 16_384);
    my $body = "done\n";
    if ($asked =~ m{^GET /metrics }) {
        $body = "# TYPE jobs_total counter\njobs_total $jobs\n";
    } else {
        $jobs++;
    }
    print $client "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ", length $body,
        "\r\nConnection: close\r\n\r\n", $body;
    close $client;
}
