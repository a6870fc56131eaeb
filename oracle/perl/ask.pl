# Answers what oracle.go asks: one question a line, one answer a line.
#
# A question holds an id, the rows, the variables and the pattern, separated by
# tabs. They consist of numbers and of the marks below, nothing else; no name
# from outside reaches this program.
#
#   rows        the character of each row, as a number, separated by spaces
#   variables   of each variable the characters of the rows on which it holds,
#               separated by commas; variables separated by spaces
#   pattern     tokens separated by spaces:
#                 ( ) |   group and alternation      e   the empty pattern
#                 ^ $     ends of the partition      n.m variable n, reported as m
#                 qn,m,r  quantifier of the group before; m = - is unbounded,
#                         r = 1 reluctant
#
# An answer holds the id, a word and a text. "ok": the match at each row, separated
# by commas: - none, = empty, otherwise what the rows are reported as, separated
# by dots. "warning", "error": what Perl says.
use strict;
use warnings;

our (@path, @found);
my @record;    # by number: code that records it for the row just matched

# The code blocks are compiled here, once for each number. A pattern that is
# made of text and of these holds no code of its own, and Perl would refuse it.
# `local` takes the record back when Perl gives the row back.
sub record { my $n = shift; $record[$n] //= qr/(?{ local $path[pos()] = $n })/ }
my $finish = qr/(?{ @found = @path[0 .. pos()] })/;

sub answer {
    my ($rows, $variables, $pattern) = @_;
    my @rows = split / /, $rows;
    my $text = join '', map { chr } @rows;
    my @class = map { '[' . join('', map { sprintf '\x{%x}', $_ } split /,/) . ']' } split / /, $variables;
    my @parts = ('\G(?:');
    for (split / /, $pattern) {
        if    (/^([0-9]+)\.([0-9]+)\z/) { push @parts, $class[$1], record($2) }
        elsif ($_ eq '(')               { push @parts, '(?:' }
        elsif ($_ eq ')' || $_ eq '|')  { push @parts, $_ }
        elsif ($_ eq '^')               { push @parts, '\A' }
        elsif ($_ eq '$')               { push @parts, '\z' }
        elsif ($_ eq 'e')               { push @parts, '(?:)' }
        elsif (/^q([0-9]+),([0-9]+|-),([01])\z/) {
            push @parts, '{', $1, ',', $2 eq '-' ? '' : $2, '}', $3 ? '?' : '';
        }
        else { die "unknown token\n" }
    }
    push @parts, ')', $finish;
    my $compiled = do {
        # That a quantifier is pointless is no news; everything else is.
        no warnings 'regexp';
        local $" = '';
        qr/@parts/;
    };
    my @out;
    for my $start (0 .. $#rows) {
        @path = ();
        pos($text) = $start;
        if ($text =~ /$compiled/gc) {
            my $end = pos $text;
            push @out, $end == $start ? '=' : join '.', @found[$start + 1 .. $end];
        }
        else { push @out, '-' }
    }
    return join ',', @out;
}

$| = 1;
printf "perl\t%vd\n", $^V;
while (my $line = <STDIN>) {
    chomp $line;
    my ($id, @question) = split /\t/, $line, -1;
    my $warning;
    local $SIG{__WARN__} = sub { $warning //= $_[0] };
    my $answer = eval { answer(@question) };
    my ($word, $say) = defined $warning ? ('warning', $warning) : defined $answer ? ('ok', $answer) : ('error', $@);
    $say =~ s/[^ -~]+/ /g;
    print "$id\t$word\t$say\n";
}
