package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// Write writes the page as one HTML file. charts are SVG files, which stand in it as
// images. The browser is told to fetch nothing and to run nothing but the page's own
// script.
func (p *Page) Write(w io.Writer, charts [][]byte) error {
	var images []template.URL
	for _, chart := range charts {
		// The type is fixed, and what follows is base64.
		images = append(images, template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(chart)))
	}
	sum := sha256.Sum256([]byte(pageJS))
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{
		"Page": p, "Charts": images,
		"CSS": template.CSS(pageCSS), "JS": template.JS(pageJS), // our own
		"Hash": base64.StdEncoding.EncodeToString(sum[:]),
	})
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
