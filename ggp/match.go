package main
type matchCmd struct{}
func (c *matchCmd) Run(s *session) error {return nil}
type practiceCmd struct{}
func (c *practiceCmd) Run(s *session) error {return nil}
