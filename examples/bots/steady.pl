#!/usr/bin/perl
# A bot for Can't Stop in Perl: three moves a turn, and the columns around 7 first.
# docs/bots.md describes the protocol. Try it with:
#   cantstop check-bot "program:perl examples/bots/steady.pl"
#   cantstop arena "program:perl examples/bots/steady.pl" careful --games 200
use strict;
use warnings;

$| = 1;    # an answer that waits in a buffer is an answer that never comes

while (my $line = <STDIN>) {
    my ($word, $moves, @rest) = split ' ', $line;
    if ($word eq 'cantstop' or $word eq 'rules') {
        print "ready\n";
    }
    elsif ($word eq 'choose') {
        # five fields are the position; the legal moves follow
        my @legal = @rest[5 .. $#rest];
        my ($best) = sort { likely($b) <=> likely($a) } @legal;
        print "$best\n";
    }
    elsif ($word eq 'stop') {
        print $moves >= 3 ? "stop\n" : "roll\n";
    }
}

# how near to 7 the columns of a move are, two columns counting more than one
sub likely {
    my $sum = 0;
    $sum += 20 - abs(7 - $_) for split /\+/, $_[0];
    return $sum;
}
