package scalar

import "github.com/rprcheck/rprcheck/semantics/value"

// The functions of any type: the lazy ones, and GREATEST and LEAST.
func init() {
	register(&Function{Name: "COALESCE", MinArgs: 1, MaxArgs: -1, Usage: "COALESCE(value, ...)", Lazy: true,
		params:  []param{anything},
		resolve: func(c *site) (value.Type, Impl) { return c.common(0), Impl{} },
		lazy: func(n *Func, env Env) (value.Value, error) {
			for _, a := range n.Args {
				if v, err := a.Eval(env); err != nil || !v.IsNull() {
					return v, err
				}
			}
			return value.Null, nil
		}})
	register(&Function{Name: "IF", MinArgs: 2, MaxArgs: 3, Usage: "IF(condition, value [, value otherwise])", Lazy: true,
		params:  []param{aBoolean, anything},
		resolve: func(c *site) (value.Type, Impl) { return c.common(1), Impl{} },
		lazy: func(n *Func, env Env) (value.Value, error) {
			t, err := EvalTruth(n.Args[0], env)
			switch {
			case err != nil:
				return value.Null, err
			case t == value.True:
				return n.Args[1].Eval(env)
			case len(n.Args) == 3:
				return n.Args[2].Eval(env)
			}
			return value.Null, nil
		}})
	register(&Function{Name: "NULLIF", MinArgs: 2, MaxArgs: 2, Usage: "NULLIF(value, value)", Lazy: true,
		params:  []param{anything},
		resolve: resolveNullIf,
		// NULLIF(a, b) is CASE WHEN a = b THEN NULL ELSE a END: b is needed
		// only if a is not NULL.
		lazy: func(n *Func, env Env) (value.Value, error) {
			a, err := n.Args[0].Eval(env)
			if err != nil || a.IsNull() {
				return value.Null, err
			}
			b, err := n.Args[1].Eval(env)
			if err != nil || equal(a, b, n.Options) == value.True {
				return value.Null, err
			}
			return a, nil
		}})
	register(&Function{Name: "GREATEST", MinArgs: 1, MaxArgs: -1, Usage: "GREATEST(value, ...)",
		params: []param{anything}, resolve: extreme(1)})
	register(&Function{Name: "LEAST", MinArgs: 1, MaxArgs: -1, Usage: "LEAST(value, ...)",
		params: []param{anything}, resolve: extreme(-1)})
}

func resolveNullIf(c *site) (value.Type, Impl) {
	if !c.b.comparable(c.args[0], c.args[1], c.pos, c.name) {
		c.bad = true
	}
	return c.typ(0), Impl{}
}

// extreme resolves GREATEST (sign 1) and LEAST (sign -1). NaN is the greatest number (TYPE-5).
func extreme(sign int) func(*site) (value.Type, Impl) {
	return func(c *site) (value.Type, Impl) {
		t := c.common(0)
		o := c.b.Options
		return t, Impl{Many: func(args []value.Value) (value.Value, error) {
			best := args[0]
			for _, a := range args[1:] {
				if compare(a, best, o)*sign > 0 {
					best = a
				}
			}
			return best, nil
		}}
	}
}
