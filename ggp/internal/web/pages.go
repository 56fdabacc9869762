package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"semisplit/ggp/board"
	"semisplit/player/local"
)

//go:embed assets
var assets embed.FS

//go:embed templates
var templates embed.FS

// Handler serves the pages.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /games/{key...}", s.gamePage)
	mux.HandleFunc("GET /boards/{key...}", s.gameBoard)
	mux.HandleFunc("GET /paste", s.page("paste.html", "Paste a game"))
	mux.HandleFunc("GET /match/{id}", s.matchPage)
	mux.HandleFunc("GET /experiment", s.experimentPage)
	mux.HandleFunc("GET /static/{name}", static)
	mux.HandleFunc("GET /api/matches", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.matches.abouts()) })
	mux.HandleFunc("GET /api/match/{id}/events", s.withMatch(s.events))
	mux.HandleFunc("GET /api/match/{id}/board/{n}", s.withMatch(s.position))
	mux.HandleFunc("GET /api/match/{id}/record", s.saveRecord)
	mux.HandleFunc("GET /api/match/{id}/analyze", s.changes(s.analyze))
	mux.HandleFunc("GET /api/experiment", s.experimentEvents)
	mux.HandleFunc("POST /api/play", s.changes(s.begin))
	mux.HandleFunc("POST /api/paste", s.changes(s.paste))
	mux.HandleFunc("POST /api/record", s.changes(s.openRecord))
	mux.HandleFunc("POST /api/match/{id}/{action}", s.changes(s.withMatch(s.order)))
	return s.guarded(mux)
}

// layout is the frame of all pages.
var layout = template.Must(template.New("").Funcs(template.FuncMap{
	"static": staticURL, "mark": mark, "segment": url.PathEscape, "path": func(key string) string { return (&url.URL{Path: key}).EscapedPath() },
}).ParseFS(templates, "templates/*.html"))

// pageData is what a page is made of.
type pageData struct {
	Title     string
	Name      string // of the template, for the class of the body
	WatchOnly bool
	Trusted   bool
	Trial     bool
	Data      any           // of the page itself
	Board     template.HTML // SVG of package board, in which every name is escaped
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, file string, d pageData) {
	d.Name, d.WatchOnly, d.Trusted, d.Trial = strings.TrimSuffix(file, ".html"), s.config.WatchOnly, s.trusted(r), s.trial != nil
	var out bytes.Buffer
	if err := layout.ExecuteTemplate(&out, file, d); err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		s.config.Log.Error("page", "file", file, "error", err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

func (s *Server) page(file, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.render(w, r, http.StatusOK, file, pageData{Title: title})
	}
}

// home is the matches that there are, and the library.
func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	if s.trial != nil {
		http.Redirect(w, r, "/experiment", http.StatusSeeOther)
		return
	}
	if all := s.matches.abouts(); s.config.WatchOnly && len(all) == 1 {
		http.Redirect(w, r, "/match/"+url.PathEscape(all[0].ID), http.StatusSeeOther)
		return
	}
	s.render(w, r, http.StatusOK, "home.html", pageData{Title: "Semisplit", Data: map[string]any{"Games": s.library.list(), "Matches": s.matches.abouts()}})
}

func (s *Server) missing(w http.ResponseWriter, r *http.Request, what string) {
	s.render(w, r, http.StatusNotFound, "missing.html", pageData{Title: "Not here", Data: what})
}

// view is the initial state of a game that was read.
func (g *game) view() boardView {
	p := board.DrawPage(g.initial, g.options(), nil)
	return boardView{SVG: p.SVG, Legend: p.Legend, Rest: p.Rest}
}

// gamePage is a game with its board, its rules in words and as they are.
func (s *Server) gamePage(w http.ResponseWriter, r *http.Request) {
	g := s.library.find(r.PathValue("key"))
	if g == nil {
		s.missing(w, r, "There is no such game here; a pasted one may have been dropped.")
		return
	}
	if err := g.read(r.Context()); err != nil {
		s.missing(w, r, err.Error())
		return
	}
	var players []map[string]any
	for i, role := range g.roles {
		if !strings.EqualFold(role, "random") {
			players = append(players, map[string]any{"Number": i, "Role": role})
		}
	}
	levels := make([]int, local.MostLevel)
	for i := range levels {
		levels[i] = i + 1
	}
	d := pageData{Title: g.Title, Data: map[string]any{"Game": g, "Findings": g.diagnostics, "Problem": g.problem, "Playable": g.program != nil, "Players": players, "Levels": levels}}
	if g.program != nil {
		view := g.view()
		d.Board = template.HTML(view.SVG)
		d.Data.(map[string]any)["View"] = view
	}
	s.render(w, r, http.StatusOK, "game.html", d)
}

// gameBoard is the picture of a game's first state.
func (s *Server) gameBoard(w http.ResponseWriter, r *http.Request) {
	g := s.library.find(r.PathValue("key"))
	if g == nil || g.read(r.Context()) != nil || g.program == nil {
		http.NotFound(w, r)
		return
	}
	svg := g.view().SVG
	if svg == "" {
		svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text x="50" y="56" text-anchor="middle" font-size="12" fill="#888">no board</text></svg>`
	}
	at := strings.IndexByte(svg, '>') + 1
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Cache-Control", "max-age=3600")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'") // its own style sheet, and nothing else
	_, _ = w.Write([]byte(svg[:at] + "<style>" + board.StyleSheet + "</style>" + svg[at:]))
}

// matchPage shows a match. The last board is in the page, so that it is there at once.
func (s *Server) matchPage(w http.ResponseWriter, r *http.Request) {
	m := s.matches.find(r.PathValue("id"))
	if m == nil {
		s.missing(w, r, "There is no such match; it may have been dropped.")
		return
	}
	a := m.about()
	facts, err := json.Marshal(a)
	if err != nil {
		s.missing(w, r, "This match cannot be shown.")
		return
	}
	d := pageData{Title: a.Title, Data: map[string]any{"About": a, "Facts": string(facts)}}
	if view, ok := m.board(a.Steps - 1); ok {
		d.Board = template.HTML(view.SVG)
	}
	s.render(w, r, http.StatusOK, "match.html", d)
}

// kinds are the types of the files that pages load.
var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml"}

// asset is a file that pages load, and a sum of it, which is part of its address: who has
// it once never asks again.
type asset struct{ data, sum string }

// files are those that pages load. All style sheets are in one: a page is not drawn before
// it has each.
var files = sync.OnceValue(func() map[string]asset {
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		panic("BUG: assets: " + err.Error())
	}
	found, style := map[string]asset{}, board.StyleSheet
	var put func(name string) asset
	put = func(name string) asset {
		if a, ok := found[name]; ok {
			return a
		}
		data, err := fs.ReadFile(assets, "assets/"+name)
		if err != nil {
			panic("BUG: assets: " + err.Error())
		}
		found[name] = sumUp(besideIt.ReplaceAllStringFunc(string(data), func(other string) string {
			file := strings.Trim(other, `"./`)
			return `"./` + file + "?" + put(file).sum + `"`
		}))
		return found[name]
	}
	for _, e := range entries {
		if a := put(e.Name()); path.Ext(e.Name()) == ".css" {
			style += a.data
			delete(found, e.Name())
		}
	}
	found["style.css"] = sumUp(style)
	return found
})

// besideIt is how a script names another.
var besideIt = regexp.MustCompile(`"\./[a-z]+\.js"`)

func sumUp(data string) asset {
	sum := sha256.Sum256([]byte(data))
	return asset{data, hex.EncodeToString(sum[:6])}
}

func staticURL(name string) string { return "/static/" + name + "?" + files()[name].sum }

// mark is the picture of the program, which stands in each page: a page that takes it from
// a file is painted later.
func mark() template.HTML { return template.HTML(files()["icon.svg"].data) }

func static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	file, ok := files()[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kinds[path.Ext(name)])
	h.Set("Cache-Control", "no-cache")
	if r.URL.RawQuery == file.sum {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	etag := `"` + file.sum + `"`
	h.Set("ETag", etag)
	if slices.Contains(r.Header.Values("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write([]byte(file.data))
}
