package console

import "encoding/json"

// JSON prints a value for programs, as one object in a line.
func (s *Session) JSON(v any) error {
	out := json.NewEncoder(s.Data())
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

// IndentedJSON prints a value for programs and people, such as a file to start from.
func (s *Session) IndentedJSON(v any) error {
	out := json.NewEncoder(s.Data())
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}
