package columnar

import (
	"cmp"
	"strings"
	"testing"
)

// Keys are ordered as the strings, as far as eight bytes tell.
func TestPrefixKey(t *testing.T) {
	for _, s := range texts {
		for _, u := range texts {
			want := strings.Compare(s[:min(len(s), keyBytes)], u[:min(len(u), keyBytes)])
			got := cmp.Or(cmp.Compare(prefixKey(s), prefixKey(u)), cmp.Compare(min(len(s), keyBytes), min(len(u), keyBytes)))
			if got != want {
				t.Errorf("%q and %q compare as %d, want %d", s, u, got, want)
			}
		}
	}
}

func TestLike(t *testing.T) {
	for _, tc := range []struct {
		s, pattern, escape string
		want               bool
	}{
		{"", "", "", true}, {"", "%", "", true}, {"", "_", "", false}, {"a", "", "", false},
		{"abc", "abc", "", true}, {"abc", "ab", "", false}, {"abc", "a%", "", true}, {"abc", "%c", "", true}, {"abc", "%b", "", false},
		{"abcbc", "a%bc", "", true}, {"abcbd", "a%bc", "", false}, {"aab", "%ab", "", true}, {"abab", "%ab%ab", "", true}, {"aba", "%ab%ba%", "", false},
		{"abc", "a_c", "", true}, {"abc", "___", "", true}, {"abc", "__", "", false}, {"abc", "%_", "", true}, {"a", "%_%_%", "", false},
		{"ä", "_", "", true}, {"€", "_", "", true}, {"€x", "%__x", "", false}, {"a€x", "%__", "", true}, {"a€x", "a_x", "", true},
		{"a%c", "a!%c", "!", true}, {"abc", "a!%c", "!", false}, {"a!c", "a!!c", "!", true}, {"a_", "a€_", "€", true}, {"a€", "a€€", "€", true},
		{"x%y", "%!%%", "!", true}, {"xy", "%!%%", "!", false}, {"%a", "%%a", "%", true}, {"ba", "%%a", "%", false},
		{"mississippi", "%iss%ip%i", "", true}, {"mississippi", "%iss%is%ip_", "", false}, {"mississippi", "m%_s_ip%", "", true}, {"mississippi", "m%s__ip%", "", false},
		{"mississippi", "m%s_pp%", "", true}, {"mississippi", "m%s_p%", "", true},
	} {
		p, ok := parseLike(tc.pattern, tc.escape)
		if !ok {
			t.Errorf("pattern %q is refused", tc.pattern)
			continue
		}
		if got := p.match(tc.s); got != tc.want {
			t.Errorf("%q LIKE %q ESCAPE %q is %t", tc.s, tc.pattern, tc.escape, got)
		}
	}
	for _, pattern := range []string{"a!", "a!b", "!a%"} {
		if _, ok := parseLike(pattern, "!"); ok {
			t.Errorf("pattern %q is accepted", pattern)
		}
	}
}
