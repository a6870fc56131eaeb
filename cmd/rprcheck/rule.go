package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

func newRule() *cobra.Command {
	return &cobra.Command{
		Use:   "rule [ID | CHAPTER]...",
		Short: "Explain a rule of the rulebook",
		Long: `rule prints a rule: what it says, an example, the clause of the standard, and how
sure we are of it. A chapter, such as COL, lists its rules; without argument all
rules are listed.`,
		Example: "  rprcheck rule COL-2\n  rprcheck rule PREF",
		RunE: func(cmd *cobra.Command, args []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
			if len(args) == 0 {
				listRules(w, rulebook.All())
			}
			for i, id := range args {
				if i > 0 {
					fmt.Fprintln(w)
				}
				if err := printRule(cmd, w, id); err != nil {
					w.Flush()
					return err
				}
			}
			return w.Flush()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range rulebook.All() {
				ids = append(ids, r.ID+"\t"+r.Title)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func printRule(cmd *cobra.Command, w io.Writer, id string) error {
	if r, ok := rulebook.Lookup(id); ok {
		return r.Print(w)
	}
	var chapter []rulebook.Rule
	for _, r := range rulebook.All() {
		if name, _, _ := strings.Cut(r.ID, "-"); strings.EqualFold(name, strings.TrimSuffix(strings.TrimSpace(id), "-")) {
			chapter = append(chapter, r)
		}
	}
	if chapter != nil {
		listRules(w, chapter)
		return nil
	}
	if near := rulebook.Nearest(id); near != "" {
		return usagef(cmd, "there is no rule %.60q; did you mean %s?", id, near)
	}
	return usagef(cmd, "there is no rule %.60q; rprcheck rule lists all", id)
}

func listRules(w io.Writer, rules []rulebook.Rule) {
	for _, r := range rules {
		fmt.Fprintf(w, "%-12s  %s\n", r.ID, r.Title)
	}
}
