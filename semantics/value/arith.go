package value

import (
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// ArithType returns the type of a op b, op being + - * or / (TYPE-1, TYPE-3,
// TYPE-5, TYPE-6). An operand of unknown type makes the result unknown. The
// error has no position: the caller adds it.
func ArithType(op string, a, b Type, o Options) (Type, error) {
	switch {
	case len(op) != 1 || !strings.Contains("+-*/", op):
		return TypeUnknown, misuse("no arithmetic operator: %q", op)
	case a.IsNumeric() && b.IsNumeric():
		return numericType(op[0], a, b, o)
	case a.Kind == Unknown || b.Kind == Unknown:
		if unknownFits(op[0], a, b) {
			return TypeUnknown, nil
		}
	default:
		if t, ok := temporalType(op[0], a, b); ok {
			if o.StrictIntervals && a.IsDatetime() && b.IsDatetime() {
				e := typeError("%s - %s needs an interval qualifier", a, b).WithHint(
					"leave the reading IMP-INTERVAL=error out: by default the difference is an interval day to second")
				e.Rule = "TYPE-6"
				return TypeUnknown, e
			}
			return t, nil
		}
	}
	e := typeError("%s %s %s is not defined", a, op, b)
	e.Hint = arithHint(op[0], a, b)
	return TypeUnknown, e
}

// arithHint says what to write instead of a op b.
func arithHint(op byte, a, b Type) string {
	switch {
	case op == '+' && a.IsString() && b.IsString():
		return "concatenate strings with ||"
	case a.IsString() || b.IsString():
		return "CAST the character string to the type that is meant: it is never silently a number or a date"
	case a.Kind == Boolean || b.Kind == Boolean:
		return "a boolean is no number: write CASE WHEN ... THEN 1 ELSE 0 END"
	case op == '-' && a.IsDatetime() && b.IsDatetime():
		return "CAST one side so that both are of the same type"
	case a.IsDatetime() && b.IsDatetime():
		return "only the difference of two dates, times or timestamps is defined"
	case a.IsDatetime() && b.IsNumeric(), b.IsDatetime() && a.IsNumeric(), a.IsInterval() && b.IsNumeric(), b.IsInterval() && a.IsNumeric():
		return "add or subtract an interval, for example INTERVAL '5' MINUTE or n * INTERVAL '1' DAY"
	case a.IsInterval() && b.IsInterval():
		return "year-month and day-time intervals do not mix, and the quotient of intervals is not SQL"
	}
	return "CAST the operands to numbers, or to a date and an interval"
}

// unknownFits reports whether some type of the operand of unknown type makes
// a op b valid.
func unknownFits(op byte, a, b Type) bool {
	t := a
	if a.Kind == Unknown {
		t = b
	}
	switch {
	case t.Kind == Unknown || t.IsNumeric():
		return true
	case op == '+':
		return t.IsDatetime() || t.IsInterval()
	case op == '-':
		return t.IsDatetime() || t.IsInterval()
	case op == '*':
		return t.IsInterval()
	}
	return a.IsInterval()
}

// asDecimal returns the decimal type that an exact type is computed as.
func asDecimal(t Type) Type {
	switch t.Kind {
	case Smallint:
		return DecimalType(5, 0)
	case Integer:
		return DecimalType(10, 0)
	case Bigint:
		return DecimalType(19, 0)
	}
	return t
}

func numericType(op byte, a, b Type, o Options) (Type, error) {
	switch {
	case a.Kind == Real && b.Kind == Real:
		return TypeReal, nil
	case a.IsApproximate() || b.IsApproximate():
		return TypeDouble, nil // TYPE-5
	case a.IsInteger() && b.IsInteger():
		if op == '/' && o.ExactQuotient {
			return TypeDecimal, nil // IMP-QUOTIENT
		}
		return Type{Kind: max(a.Kind, b.Kind)}, nil
	case op == '/':
		return TypeDecimal, nil // TYPE-3
	}
	d, e := asDecimal(a), asDecimal(b)
	if d.Precision == 0 || e.Precision == 0 {
		return TypeDecimal, nil
	}
	if op == '*' {
		scale := d.Scale + e.Scale
		if scale > MaxPrecision {
			err := typeError("%s * %s has %d digits after the point, more than %d", a, b, scale, MaxPrecision)
			err.Rule = "TYPE-3"
			return TypeUnknown, err.WithHint("CAST an operand to a smaller scale, or to decimal")
		}
		return DecimalType(min(d.Precision+e.Precision, MaxPrecision), scale), nil
	}
	scale := max(d.Scale, e.Scale)
	whole := max(d.Precision-d.Scale, e.Precision-e.Scale)
	return DecimalType(min(whole+scale+1, MaxPrecision), scale), nil
}

// Arith computes a op b, of the type that ArithType gave. NULL in, NULL out.
// Run-time errors (EVAL-1): 22003 out of range, 22012 division by zero, 22008
// datetime overflow, 22015 interval overflow.
func Arith(op string, result Type, a, b Value) (Value, error) {
	if a.form == FormNull || b.form == FormNull {
		return Null, nil
	}
	if result.Kind == Unknown {
		// The values of host variables and columns without a declared type.
		var err error
		if result, err = ArithType(op, heldType(a), heldType(b), Options{}); err != nil {
			return Null, err
		}
	}
	if len(op) == 1 {
		switch {
		case result.IsInteger() && a.form == FormInt && b.form == FormInt:
			return intArith(op[0], result, a.n, b.n)
		case result.Kind == Decimal && isExact(a) && isExact(b):
			return decimalArith(op[0], result, a, b)
		case result.IsApproximate() && isNumber(a) && isNumber(b):
			return floatArith(op[0], result, ToFloat(a), ToFloat(b))
		case result.IsDatetime() || result.IsInterval():
			return temporalArith(op[0], a, b)
		}
	}
	return Null, misuse("operands do not fit the result %s of %q", result, op)
}

// heldType returns the largest type that is held as v is.
func heldType(v Value) Type {
	switch v.form {
	case FormInt:
		return TypeBigint
	case FormDecimal:
		return TypeDecimal
	case FormDouble:
		return TypeDouble
	case FormString:
		return TypeVarchar
	case FormTime:
		return TypeTime
	case FormStamp:
		return TypeTimestamp
	}
	for k, f := range heldAs {
		if f == v.form {
			return Type{Kind: Kind(k)}
		}
	}
	return TypeUnknown
}

// inRange reports whether an integer type can hold n.
func inRange(n int64, k Kind) bool {
	switch k {
	case Smallint:
		return n == int64(int16(n))
	case Integer:
		return n == int64(int32(n))
	}
	return true
}

func zeroDivide() error {
	return runtimeError(stateZeroDivide, "division by zero").
		WithHint("guard the divisor, for example x / NULLIF(y, 0)")
}

// tooLarge is error 22003 for the result of an operator.
func tooLarge(a Value, op byte, b Value, t Type) error {
	text := a.appendNumber(nil)
	text = append(text, ' ', op, ' ')
	text = b.appendNumber(text)
	return outOfRange(string(text), t)
}

// intArith never wraps: overflow is 22003 (TYPE-2).
func intArith(op byte, t Type, x, y int64) (Value, error) {
	var r int64
	ok := true
	switch op {
	case '+':
		r, ok = add64(x, y)
	case '-':
		r, ok = sub64(x, y)
	case '*':
		r, ok = mul64(x, y)
	case '/':
		if y == 0 {
			return Null, zeroDivide()
		}
		r, ok = x/y, x != math.MinInt64 || y != -1 // TYPE-3: toward zero
	default:
		return Null, misuse("no arithmetic operator: %q", op)
	}
	if !ok || !inRange(r, t.Kind) {
		return Null, tooLarge(Int(x), op, Int(y), t)
	}
	return Int(r), nil
}

// decimalArith computes with int64 coefficients where they suffice.
func decimalArith(op byte, t Type, a, b Value) (Value, error) {
	x, sx, okx := exact(a)
	y, sy, oky := exact(b)
	if okx && oky {
		switch op {
		case '+', '-':
			s := max(sx, sy)
			x, ok1 := rescale(x, sx, s)
			y, ok2 := rescale(y, sy, s)
			if op == '-' {
				if y == math.MinInt64 {
					break
				}
				y = -y
			}
			if r, ok := add64(x, y); ok && ok1 && ok2 {
				return fitScaled(r, s, t)
			}
		case '*':
			if r, ok := mul64(x, y); ok && sx+sy <= MaxPrecision {
				return fitScaled(r, sx+sy, t)
			}
		case '/':
			if y == 0 {
				return Null, zeroDivide()
			}
			if v, ok := exactQuotient(x, sx, y, sy); ok && t.Precision == 0 {
				return v, nil
			}
		}
	}
	var r apd.Decimal
	p, q := readDecimal(a), readDecimal(b)
	switch op {
	case '+':
		wide.Add(&r, p, q)
	case '-':
		wide.Sub(&r, p, q)
	case '*':
		wide.Mul(&r, p, q)
	case '/':
		if q.IsZero() {
			return Null, zeroDivide()
		}
		round38.Quo(&r, p, q)
	default:
		return Null, misuse("no arithmetic operator: %q", op)
	}
	v, err := FitDecimal(&r, t)
	if err != nil {
		return Null, tooLarge(a, op, b, t)
	}
	return v, nil
}

// fitScaled makes n * 10^-scale a value of decimal type t.
func fitScaled(n int64, scale int, t Type) (Value, error) {
	if t.Precision == 0 {
		return stripZeros(n, scale), nil
	}
	if r, ok := rescale(n, scale, t.Scale); ok {
		if fitsPrecision(r, t.Precision) {
			return ScaledInt(r, t.Scale), nil
		}
		return Null, outOfRange(string(ScaledInt(n, scale).appendNumber(nil)), t)
	}
	return FitDecimal(apd.New(n, -int32(scale)), t)
}

// exactQuotient divides if few digits more after the point than the scales
// give make the quotient exact, and it fits.
func exactQuotient(x int64, sx int, y int64, sy int) (Value, bool) {
	d := abs64(y)
	for _, more := range [...]int{6, 18} {
		scale := sx - sy + more
		if scale < 0 || scale > MaxPrecision {
			continue
		}
		hi, lo := bits.Mul64(abs64(x), uint64(pow10[more]))
		if hi >= d {
			return Null, false
		}
		q, r := bits.Div64(hi, lo, d)
		if n, ok := signed(q, (x < 0) != (y < 0)); ok && r == 0 {
			return stripZeros(n, scale), true
		}
	}
	return Null, false
}

// floatArith computes in double precision, and rounds once more for real.
// Infinity arises from an infinite operand only.
func floatArith(op byte, t Type, x, y float64) (Value, error) {
	var r float64
	switch op {
	case '+':
		r = x + y
	case '-':
		r = x - y
	case '*':
		r = x * y
	case '/':
		if y == 0 {
			return Null, zeroDivide()
		}
		r = x / y
	default:
		return Null, misuse("no arithmetic operator: %q", op)
	}
	if t.Kind == Real {
		r = float64(float32(r))
	}
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return Null, tooLarge(Float(x), op, Float(y), t)
	}
	return Float(r), nil
}

// Negate is the unary minus of a value of type t; the result has that type.
func Negate(t Type, v Value) (Value, error) {
	switch v.form {
	case FormNull:
		return Null, nil
	case FormDouble:
		return Float(-v.AsFloat()), nil
	case FormInt, FormInterval, FormMonths:
		if r := -v.n; (v.n != math.MinInt64) && (v.form != FormInt || inRange(r, t.Kind)) {
			v.n = r
			return v, nil
		}
		if v.form == FormInt {
			return Null, outOfRange("-("+string(v.appendNumber(nil))+")", t)
		}
		return Null, intervalOverflow()
	case FormDecimal:
		if v.ref == nil && v.n != math.MinInt64 {
			v.n = -v.n
			return v, nil
		}
		d := v.AsDecimal()
		return BigDecimal(d.Neg(d)), nil
	}
	return Null, misuse("- of a value of type %s", t)
}

// NegateType returns the type of the unary minus (TYPE-1).
func NegateType(t Type) (Type, error) {
	if t.Kind == Unknown || t.IsNumeric() || t.IsInterval() {
		return t, nil
	}
	return TypeUnknown, typeError("a value of type %s has no sign", t).WithHint("CAST it to a number or an interval")
}

// ModType returns the type of MOD(a, b): the common type of both numbers.
func ModType(a, b Type) (Type, error) {
	for _, t := range []Type{a, b} {
		if t.Kind != Unknown && !t.IsNumeric() {
			return TypeUnknown, typeError("MOD needs numbers, not %s", t).WithHint("CAST the argument to a number")
		}
	}
	t, _ := CommonType(a, b)
	return t, nil
}

// Mod is the remainder of the quotient truncated toward zero: it has the sign
// of a. Its type is that of ModType. Division by zero is 22012.
func Mod(result Type, a, b Value) (Value, error) {
	switch {
	case a.form == FormNull || b.form == FormNull:
		return Null, nil
	case !isNumber(a) || !isNumber(b):
		return Null, misuse("MOD of values that are no numbers")
	case result.IsApproximate():
		x, y := ToFloat(a), ToFloat(b)
		if y == 0 {
			return Null, zeroDivide()
		}
		return toApproximate(Float(math.Mod(x, y)), result)
	case a.form == FormDouble || b.form == FormDouble:
		return Null, misuse("exact MOD of approximate numbers")
	case a.form == FormInt && b.form == FormInt:
		if b.n == 0 {
			return Null, zeroDivide()
		}
		return Convert(Int(a.n%b.n), result)
	}
	p, q := readDecimal(a), readDecimal(b)
	if q.IsZero() {
		return Null, zeroDivide()
	}
	var r apd.Decimal
	wide.Rem(&r, p, q)
	if result.IsInteger() {
		return Convert(BigDecimal(&r), result)
	}
	return FitDecimal(&r, result)
}

// bigCoefficient returns numerator and denominator of an exact number.
func bigCoefficient(v Value) (num, den *big.Int) {
	d := readDecimal(v)
	num = new(big.Int).Set(d.Coeff.MathBigInt())
	if d.Negative {
		num.Neg(num)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.Exponent, -d.Exponent))), nil)
	if d.Exponent > 0 {
		return num.Mul(num, scale), big.NewInt(1)
	}
	return num, scale
}
