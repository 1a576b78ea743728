#!/usr/bin/perl
# worker.pl VERSION CONFIG: requests each web server of the list in CONFIG every few seconds and
# prints the responses. Reads CONFIG each time, so it needs no signal after a change.
use strict;
use warnings;
use IO::Socket::INET;
use POSIX qw(strftime);

my ($version, $config) = @ARGV;
die "usage: worker.pl VERSION CONFIG\n" unless defined $config;
$| = 1;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { note("asked to stop"); exit 0 };

my $name = $ENV{LITHOS_NAME} // 'worker';

sub note { print strftime('%H:%M:%S', localtime), " $name: @_\n" }

# The pause in seconds, and the URLs.
sub read_config {
    my ($seconds, @urls) = (3);
    open my $file, '<', $config or do { note("cannot read $config: $!"); return $seconds };
    while (<$file>) {
        $seconds = $1 if /^seconds\s*=\s*([1-9][0-9]*)\s*$/;
        push @urls, $1 if /^url\s*=\s*(\S+)\s*$/;
    }
    return ($seconds, @urls);
}

# A summary of a web server's response.
sub ask {
    my ($url) = @_;
    my ($host, $port, $path) = $url =~ m{\Ahttp://([^/:]+):(\d+)(/.*)\z} or return "bad URL $url";
    my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Timeout => 2)
        or return "$port: no answer";
    print $socket "GET $path HTTP/1.0\r\nHost: $host\r\n\r\n";
    my ($answer, $deadline) = ('', time + 2);
    while (length $answer < 65_536 and time < $deadline) {
        vec(my $ready = '', fileno $socket, 1) = 1;
        select($ready, undef, undef, 1) or next;
        sysread($socket, $answer, 4096, length $answer) or last;
    }
    return $answer =~ /version (\S+), .* request (\d+)/ ? "$port: $1 #$2" : "$port: strange answer";
}

note("version $version, pid $$");
while (1) {
    my ($seconds, @urls) = read_config();
    note(@urls ? join('; ', map { ask($_) } @urls) : 'nobody to ask');
    sleep $seconds;
}
