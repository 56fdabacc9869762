// Package house measures how a Go module is laid out: by package its lines,
// files and exported names, its largest type, and its largest cycle of files
// that use each other's declarations.
package house

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Room is what is measured of one package. Lines and Files are those written
// by hand, without tests; TestLines are those of its tests, external ones
// included.
type Room struct {
	Path      string // from the root of the module; "." for the root
	Files     int
	Lines     int
	TestLines int
	Generated int // lines in files that are generated
	Exported  int // names at package level, and methods of exported types
	Methods   Largest
	Fields    Largest
	Function  Largest // lines
	Cycle     []string
}

// Largest names what is largest of its kind.
type Largest struct {
	Name string
	N    int
}

func (l *Largest) meet(name string, n int) {
	if n > l.N || n == l.N && name < l.Name {
		*l = Largest{name, n}
	}
}

// Measure reads the packages of the module in a folder, in the order of their
// paths. Packages that have nothing but tests are left out.
func Measure(folder string) ([]Room, error) {
	loaded, err := packages.Load(&packages.Config{Dir: folder, Mode: packages.LoadSyntax | packages.NeedModule}, "./...")
	if err != nil {
		return nil, fmt.Errorf("house: %w", err)
	}
	var all []Room
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("house: %s: %w", p.ID, errors.Join(asErrors(p.Errors)...))
		}
		if len(p.Syntax) == 0 {
			continue
		}
		r, err := measure(p)
		if err != nil {
			return nil, fmt.Errorf("house: %w", err)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Room) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

func asErrors(list []packages.Error) (all []error) {
	for _, e := range list {
		all = append(all, e)
	}
	return all
}

func measure(p *packages.Package) (Room, error) {
	r := Room{Path: strings.TrimPrefix("."+strings.TrimPrefix(p.PkgPath, p.Module.Path), "./")}
	var own []*ast.File
	for _, file := range p.Syntax {
		lines := p.Fset.File(file.FileStart).LineCount()
		if ast.IsGenerated(file) {
			r.Generated += lines
			continue
		}
		r.Files++
		r.Lines += lines
		own = append(own, file)
	}
	r.measureTypes(p)
	r.measureFunctions(p, own)
	r.Cycle = largestCycle(p, own)
	tests, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return r, err
	}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			return r, err
		}
		r.TestLines += bytes.Count(text, []byte("\n"))
	}
	return r, nil
}

// measureTypes counts exported names, methods and fields. The methods of a
// type are those that can be called on it, so the ones that a field of this
// module lends it count as well; of an interface all that it asks for.
func (r *Room) measureTypes(p *packages.Package) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if object.Exported() {
			r.Exported++
		}
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !ok || !isType {
			continue
		}
		r.Methods.meet(name, ownMethods(named, p.Module.Path))
		if object.Exported() {
			for m := range named.Methods() {
				if m.Exported() {
					r.Exported++
				}
			}
		}
		if s, ok := named.Underlying().(*types.Struct); ok {
			r.Fields.meet(name, s.NumFields())
		}
	}
}

func ownMethods(named *types.Named, module string) (n int) {
	var of types.Type = named
	if !types.IsInterface(named) {
		of = types.NewPointer(named)
	}
	for selection := range types.NewMethodSet(of).Methods() {
		if pkg := selection.Obj().Pkg(); pkg != nil && (pkg.Path() == module || strings.HasPrefix(pkg.Path(), module+"/")) {
			n++
		}
	}
	return n
}

func (r *Room) measureFunctions(p *packages.Package, files []*ast.File) {
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				r.Function.meet(f.Name.Name, p.Fset.Position(f.End()).Line-p.Fset.Position(f.Pos()).Line+1)
			}
		}
	}
}

// largestCycle is the largest set of files each of which can be reached from
// each other one by what its declarations use: names at package level,
// methods and fields; nil if no two files use each other.
func largestCycle(p *packages.Package, files []*ast.File) []string {
	index := map[string]int{}
	for i, file := range files {
		index[p.Fset.File(file.FileStart).Name()] = i
	}
	uses := make([][]int, len(files))
	for i, file := range files {
		seen := make([]bool, len(files))
		ast.Inspect(file, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			object := p.TypesInfo.Uses[name]
			if object == nil || object.Pkg() != p.Types || !object.Pos().IsValid() {
				return true
			}
			if j, ok := index[p.Fset.Position(object.Pos()).Filename]; ok && j != i && !seen[j] {
				seen[j] = true
				uses[i] = append(uses[i], j)
			}
			return true
		})
	}
	var largest []int
	for _, c := range components(uses) {
		if len(c) > max(len(largest), 1) {
			largest = c
		}
	}
	var names []string
	for _, i := range largest {
		names = append(names, filepath.Base(p.Fset.File(files[i].FileStart).Name()))
	}
	slices.Sort(names)
	return names
}

// components are the strongly connected components of a graph (Tarjan 1972).
func components(next [][]int) (all [][]int) {
	order, low := make([]int, len(next)), make([]int, len(next))
	var stack []int
	count := 0
	var visit func(v int)
	visit = func(v int) {
		count++
		order[v], low[v] = count, count
		stack = append(stack, v)
		for _, w := range next[v] {
			if order[w] == 0 {
				visit(w)
			}
			if order[w] > 0 {
				low[v] = min(low[v], low[w])
			}
		}
		if low[v] < order[v] {
			return
		}
		first := slices.Index(stack, v)
		all = append(all, slices.Clone(stack[first:]))
		for _, w := range stack[first:] {
			order[w], low[w] = -1, len(next)
		}
		stack = stack[:first]
	}
	for v := range next {
		if order[v] == 0 {
			visit(v)
		}
	}
	return all
}
