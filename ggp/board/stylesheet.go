package board

import _ "embed" // the style sheet of pages

// StyleSheet is the CSS of the drawings of DrawPage, in light and dark.
//
//go:embed page.css
var StyleSheet string
