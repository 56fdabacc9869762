package kernel

import (
	"fmt"
	"strings"
)

// Op is what an instruction computes from the slots A, B and C. Operands that
// an op does not mention are ignored. The ops from Table(0) on stand for any
// function of three operands.
type Op uint16

const (
	OpMov      Op = iota // a
	OpNot                // ^a
	OpAnd2               // a & b
	OpAnd3               // a & b & c
	OpAndNot             // a &^ b
	OpAnd2Not            // a & b &^ c
	OpAndNot2            // a &^ b &^ c
	OpNor2               // ^(a | b)
	OpNor3               // ^(a | b | c)
	OpOr2                // a | b
	OpOr3                // a | b | c
	OpOrNot              // a | ^b
	OpOr2Not             // a | b | ^c
	OpOrNot2             // a | ^b | ^c
	OpNand2              // ^(a & b)
	OpNand3              // ^(a & b & c)
	OpAndOr              // a | b&c
	OpAndNotOr           // a | b&^c
	OpNorOr              // a | ^(b|c)
	OpOrAnd              // a & (b|c)
	OpOrNotAnd           // a & (b|^c)
	OpNandAnd            // a & ^(b&c)
	NumNamed             // the number of ops with a name
)

// firstTable is Table(0).
const firstTable Op = 256

// NumOps is more than any op.
const NumOps = firstTable + 256

// Table is the op with a truth table: bit 4a+2b+c of t is its value where the
// operands have the bits a, b and c (the immediate of VPTERNLOGQ). In machine
// code it costs as much as any other op, else up to some times as much.
func Table(t uint8) Op { return firstTable + Op(t) }

// tableA, tableB and tableC are the truth tables of the operands.
const (
	tableA uint8 = 0xf0
	tableB uint8 = 0xcc
	tableC uint8 = 0xaa
)

var opTables = [NumNamed]uint8{
	OpMov:      tableA,
	OpNot:      ^tableA,
	OpAnd2:     tableA & tableB,
	OpAnd3:     tableA & tableB & tableC,
	OpAndNot:   tableA &^ tableB,
	OpAnd2Not:  tableA & tableB &^ tableC,
	OpAndNot2:  tableA &^ tableB &^ tableC,
	OpNor2:     ^(tableA | tableB),
	OpNor3:     ^(tableA | tableB | tableC),
	OpOr2:      tableA | tableB,
	OpOr3:      tableA | tableB | tableC,
	OpOrNot:    tableA | ^tableB,
	OpOr2Not:   tableA | tableB | ^tableC,
	OpOrNot2:   tableA | ^tableB | ^tableC,
	OpNand2:    ^(tableA & tableB),
	OpNand3:    ^(tableA & tableB & tableC),
	OpAndOr:    tableA | tableB&tableC,
	OpAndNotOr: tableA | tableB&^tableC,
	OpNorOr:    tableA | ^(tableB | tableC),
	OpOrAnd:    tableA & (tableB | tableC),
	OpOrNotAnd: tableA & (tableB | ^tableC),
	OpNandAnd:  tableA & ^(tableB & tableC),
}

var opNames = [NumNamed]string{
	"mov", "not", "and2", "and3", "andnot", "and2not", "andnot2", "nor2", "nor3",
	"or2", "or3", "ornot", "or2not", "ornot2", "nand2", "nand3",
	"andor", "andnotor", "noror", "orand", "ornotand", "nandand",
}

// Truth is the truth table of an op, as in Table.
func (o Op) Truth() uint8 {
	if o < NumNamed {
		return opTables[o]
	}
	return uint8(o - firstTable)
}

// Arity is how many operands an op reads: the first ones. An op made by Table
// reads three.
func (o Op) Arity() int {
	switch o {
	case OpMov, OpNot:
		return 1
	case OpAnd2, OpAndNot, OpNor2, OpOr2, OpOrNot, OpNand2:
		return 2
	}
	return 3
}

// String is the op's name, or "table" with the truth table in hexadecimal.
func (o Op) String() string {
	if o < NumNamed {
		return opNames[o]
	}
	return fmt.Sprintf("table%02x", o.Truth())
}

// Instr is one instruction: the op of the slots A, B and C is put into D,
// which may be one of them.
type Instr struct {
	Op         Op
	D, A, B, C int32
}

// Operands are the slots that the instruction reads.
func (in *Instr) Operands() []int32 {
	return []int32{in.A, in.B, in.C}[:in.Op.Arity()]
}

// String is the instruction as "and2 7(3 4)".
func (in Instr) String() string {
	args := strings.Trim(fmt.Sprint(in.Operands()), "[]")
	return fmt.Sprintf("%s %d(%s)", in.Op, in.D, args)
}
