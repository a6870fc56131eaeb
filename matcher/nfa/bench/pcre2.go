//go:build pcre2 && cgo

package bench

/*
#cgo LDFLAGS: -lpcre2-8
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// count counts the matches of a pattern, each search beginning where the match
// before ended; -1: the pattern does not compile.
static long count(const char *pattern, size_t plen, const unsigned char *subject, size_t len) {
	int error;
	PCRE2_SIZE at;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, plen, 0, &error, &at, NULL);
	if (code == NULL || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) return -1;
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	PCRE2_SIZE *ends = pcre2_get_ovector_pointer(data);
	long n = 0;
	PCRE2_SIZE from = 0;
	while (from <= len && pcre2_jit_match(code, subject, len, from, 0, data, NULL) > 0) {
		n++;
		from = ends[1] > from ? ends[1] : from + 1;
	}
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	return n;
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

func init() {
	pcre2 = func(pattern string, subject []byte) (int, error) {
		p := []byte(pattern)
		n := C.count((*C.char)(unsafe.Pointer(&p[0])), C.size_t(len(p)), (*C.uchar)(unsafe.Pointer(&subject[0])), C.size_t(len(subject)))
		if n < 0 {
			return 0, errors.New("PCRE2 does not compile the pattern")
		}
		return int(n), nil
	}
}
