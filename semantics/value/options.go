package value

// Options carries the readings of chapter 17 that concern values. The zero
// value holds the defaults.
type Options struct {
	ExactQuotient   bool    // IMP-QUOTIENT: integer / integer is an exact decimal
	Avg             AvgType // IMP-AVG: type of AVG of exact numbers
	PadSpace        bool    // IMP-STRINGS: strings compare as if padded with blanks
	StrictIntervals bool    // IMP-INTERVAL: datetime - datetime is an error
}

// AvgType is the type of AVG of exact numbers (IMP-AVG).
type AvgType uint8

// The choices of IMP-AVG.
const (
	AvgDecimal  AvgType = iota // decimal of 38 significant digits
	AvgDouble                  // double precision
	AvgArgument                // the type of the argument, rounded half up
)
