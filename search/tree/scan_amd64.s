#include "textflag.h"

// The address of chunk CX goes to DI. SI holds the pages of the arena.
#define ADDRESS \
	MOVL CX, DI        \
	MOVL CX, R8        \
	SHRL $9, DI        \
	ANDL $511, R8      \
	MOVQ (SI)(DI*8), DI \
	SHLQ $8, R8        \
	ADDQ R8, DI

// The scores of its edges go to Y3: value + bonus * invSqrtVisits.
#define SCORES \
	ADDRESS                 \
	VMULPS 32(DI), Y15, Y3  \
	VADDPS (DI), Y3, Y3

// The same with what ranks bring, constant * rank. R13 holds the pages of ranks.
#define RANKED \
	SCORES                  \
	MOVL CX, R12            \
	SHRL $9, R12            \
	SHRQ $3, R8             \
	MOVQ (R13)(R12*8), R12  \
	VMULPS (R12)(R8*1), Y14, Y4 \
	VADDPS Y4, Y3, Y3

// The first of the edges with the highest score of a trie node, CX, goes to AX,
// their number to DX; 0 where nothing is to be chosen.
#define SCAN(SCORE) \
	MOVL CX, BX                    \
	SCORE                          \
	VMOVAPS Y3, Y0                 \
	JMP after                      \
highest:                               \
	SCORE                          \
	VMAXPS Y3, Y0, Y0              \
after:                                 \
	MOVL 240(DI), CX               \
	TESTL CX, CX                   \
	JNZ highest                    \
	VEXTRACTF128 $1, Y0, X1        \
	VMAXPS X1, X0, X0              \
	VSHUFPS $0x4e, X0, X0, X1      \
	VMAXPS X1, X0, X0              \
	VSHUFPS $0xb1, X0, X0, X1      \
	VMAXPS X1, X0, X0              \
	VINSERTF128 $1, X0, Y0, Y0     \
	XORL AX, AX                    \
	XORL DX, DX                    \
	VMOVD X0, R9                   \
	CMPL R9, $0xff800000           \
	JEQ done                       \
	MOVL BX, CX                    \
equal:                                 \
	SCORE                          \
	VCMPPS $0, Y0, Y3, Y3          \
	VMOVMSKPS Y3, R9               \
	MOVL 240(DI), R10              \
	TESTL R9, R9                   \
	JZ next                        \
	POPCNTL R9, R11                \
	TESTL DX, DX                   \
	JNZ more                       \
	BSFL R9, AX                    \
	SHLL $3, CX                    \
	ORL CX, AX                     \
more:                                  \
	ADDL R11, DX                   \
next:                                  \
	MOVL R10, CX                   \
	TESTL CX, CX                   \
	JNZ equal                      \
done:                                  \
	VZEROUPPER

// func scanAVX2(pages unsafe.Pointer, trie uint32, bonus float32) (best, ties uint32)
TEXT ·scanAVX2(SB), NOSPLIT, $0-24
	MOVQ         pages+0(FP), SI
	MOVL         trie+8(FP), CX
	VBROADCASTSS bonus+12(FP), Y15
	SCAN(SCORES)
	MOVL         AX, best+16(FP)
	MOVL         DX, ties+20(FP)
	RET

// func scanRankedAVX2(pages, ranks unsafe.Pointer, trie uint32, bonus, constant float32) (best, ties uint32)
TEXT ·scanRankedAVX2(SB), NOSPLIT, $0-40
	MOVQ         pages+0(FP), SI
	MOVQ         ranks+8(FP), R13
	MOVL         trie+16(FP), CX
	VBROADCASTSS bonus+20(FP), Y15
	VBROADCASTSS constant+24(FP), Y14
	SCAN(RANKED)
	MOVL         AX, best+32(FP)
	MOVL         DX, ties+36(FP)
	RET
