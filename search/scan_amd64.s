#include "textflag.h"

// The address of the chunk CX goes to DI; SI holds the pages of the arena.
#define ADDRESS \
	MOVL CX, DI; \
	MOVL CX, R8; \
	SHRL $9, DI; \
	ANDL $511, R8; \
	MOVQ (SI)(DI*8), DI; \
	SHLQ $8, R8; \
	ADDQ R8, DI

// The scores of its edges go to Y3: value + bonus * root.
#define SCORES \
	VMULPS 32(DI), Y15, Y3; \
	VADDPS (DI), Y3, Y3

// func scanAVX2(pages unsafe.Pointer, trie uint32, bonus float32) (best, ties uint32)
TEXT ·scanAVX2(SB), NOSPLIT, $0-24
	MOVQ         pages+0(FP), SI
	MOVL         trie+8(FP), CX
	VBROADCASTSS bonus+12(FP), Y15
	ADDRESS
	SCORES
	VMOVAPS      Y3, Y0
	MOVL         240(DI), CX
	TESTL        CX, CX
	JZ           single

highest:
	ADDRESS
	SCORES
	VMAXPS Y3, Y0, Y0
	MOVL   240(DI), CX
	TESTL  CX, CX
	JNZ    highest

single:
	// The highest of eight, in all places.
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VSHUFPS      $0x4e, X0, X0, X1
	VMAXPS       X1, X0, X0
	VSHUFPS      $0xb1, X0, X0, X1
	VMAXPS       X1, X0, X0
	VINSERTF128  $1, X0, Y0, Y0

	XORL   AX, AX          // best
	XORL   DX, DX          // ties
	VMOVD  X0, R9
	CMPL   R9, $0xff800000 // nothing but what is not to be chosen
	JEQ    done
	MOVL   trie+8(FP), CX

equal:
	ADDRESS
	SCORES
	VCMPPS    $0, Y0, Y3, Y3
	VMOVMSKPS Y3, R9
	MOVL      240(DI), R10
	TESTL     R9, R9
	JZ        next
	POPCNTL   R9, R11
	TESTL     DX, DX
	JNZ       more
	BSFL      R9, AX
	SHLL      $3, CX
	ORL       CX, AX

more:
	ADDL R11, DX

next:
	MOVL  R10, CX
	TESTL CX, CX
	JNZ   equal

done:
	VZEROUPPER
	MOVL AX, best+16(FP)
	MOVL DX, ties+20(FP)
	RET
