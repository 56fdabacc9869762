package kernel

// TextSize is the size of machine code.
func (c *Code) TextSize() int { return len(c.text) }
