package strictjson

import (
	"fmt"
	"io"
	"os"
)

// Read is Decode of all that can be read, of at most so many bytes. what says in errors
// what it should be.
func Read(r io.Reader, most int, what string, into any) error {
	text, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return err
	}
	if len(text) > most {
		return fmt.Errorf("longer than %d bytes: is it a %s?", most, what)
	}
	return Decode(text, into)
}

// ReadFile reads a file by a function; its errors name what it should be, and the file.
func ReadFile[T any](path, what string, read func(io.Reader) (T, error)) (T, error) {
	var none T
	file, err := os.Open(path)
	if err != nil {
		return none, fmt.Errorf("%s: %w", what, err)
	}
	defer file.Close()
	value, err := read(file)
	if err != nil {
		return none, fmt.Errorf("%s %s: %w", what, path, err)
	}
	return value, nil
}
