package rulebook

import "strings"

// maxDistance is how many slips of the pen Nearest forgives.
const maxDistance = 2

// Nearest returns the id that a mistyped one most likely means, or "" if none
// is near. It forgives other separators (COL2, col_2), wrong or missing
// letters (COLL-2) and a number that its chapter does not have (COL-9: the
// last rule of the chapter).
func Nearest(id string) string {
	if len(id) > 32 { // longer than any id by far
		return ""
	}
	if r, ok := Lookup(id); ok {
		return r.ID
	}
	word := squeeze(id)
	if word == "" {
		return ""
	}
	b := load()
	best, bestCost := "", maxDistance+1
	for _, r := range b.rules {
		if cost := distance(word, squeeze(r.ID)); cost < bestCost {
			best, bestCost = r.ID, cost
		}
	}
	if bestCost == 0 {
		return best
	}
	// A chapter that exists is a stronger hint than a near spelling.
	family := strings.TrimRight(word, "0123456789")
	for i := len(b.rules) - 1; i >= 0 && family != word; i-- {
		if chapter, _, _ := strings.Cut(b.rules[i].ID, "-"); chapter == family {
			return b.rules[i].ID
		}
	}
	return best
}

// squeeze keeps letters and digits, in upper case.
func squeeze(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
			return r
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		}
		return -1
	}, id)
}

// distance is the number of insertions, deletions, replacements and exchanges
// of neighbours that turn a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
