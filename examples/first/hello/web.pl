# web.pl PORT: greets over HTTP, with the words of the variable GREETING. Needs only perl-base.
use strict;
use warnings;
use IO::Socket::INET;

my $port = shift // die "usage: web.pl PORT\n";
my $greeting = $ENV{GREETING} || die "the variable GREETING is empty\n";
$| = 1;
$SIG{PIPE} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { print "asked to stop\n"; exit 0 };

# Reads the head of a request; returns its path, or nothing if it is too slow or too long.
sub path_of {
    my ($client) = @_;
    my ($head, $deadline) = ('', time + 2);
    while ($head !~ /\r?\n\r?\n/ and length $head < 16_384 and time < $deadline) {
        vec(my $ready = '', fileno $client, 1) = 1;
        select($ready, undef, undef, 1) or next;
        sysread($client, $head, 4096, length $head) or last;
    }
    return $head =~ /\A[A-Z]+ (\S+) HTTP\/1\.[01]\r?\n/ ? $1 : undef;
}

my $server = IO::Socket::INET->new(
    LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1
) or die "cannot listen on port $port: $@\n";
print "listening on http://127.0.0.1:$port/\n";

while (1) {
    my $client = $server->accept or next;
    my $path = path_of($client);
    my ($status, $body) = defined $path
        ? ('200 OK', "$greeting from port $port, pid $$\n")
        : ('400 Bad Request', "The request is not HTTP.\n");
    print $client "HTTP/1.1 $status\r\nContent-Type: text/plain\r\n",
        'Content-Length: ', length $body, "\r\nConnection: close\r\n\r\n", $body;
    close $client;
}
