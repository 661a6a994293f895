/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operands of all instructions of VAX, after the VAX Architecture Reference Manual: chapter 3,
 * "Instructions", and its list of opcodes.
 *
 * A letter for each operand is the size that a constant has there: b 1 byte, w 2, l 4, q 8, o 16;
 * f, d, g and h are those of floating point: 4, 8, 8 and 16.  B and W are distances of branches, of
 * 1 and 2 bytes.  NULL is reserved.
 */
#ifndef FINDCALL_VAX_OPCODES_H
#define FINDCALL_VAX_OPCODES_H

#include <stddef.h>

enum {
	VAX_BSBB = 0x10,
	VAX_JSB = 0x16,
	VAX_JMP = 0x17,
	VAX_BSBW = 0x30,
	VAX_CASEB = 0x8f,
	VAX_CASEW = 0xaf,
	VAX_CASEL = 0xcf,
	VAX_CALLG = 0xfa,
	VAX_CALLS = 0xfb,
	VAX_TWO_BYTES = 0xfd, /* the second one says what it is */
	VAX_SOFTWARE = 0xff,  /* and here */
	VAX_BUGL = 0xfd,
	VAX_BUGW = 0xfe
};

static const char *const vax_one_byte[32][8] = {
	/* 00: halt nop rei bpt ret rsb ldpctx svpctx */
	{"", "", "", "", "", "", "", ""},
	/* 08: cvtps cvtsp index crc prober probew insque remque */
	{"wbwb", "wbwb", "llllll", "blwb", "bwb", "bwb", "bb", "bl"},
	/* 10: bsbb brb bneq beql bgtr bleq jsb jmp */
	{"B", "B", "B", "B", "B", "B", "b", "b"},
	/* 18: bgeq blss bgtru blequ bvc bvs bcc bcs */
	{"B", "B", "B", "B", "B", "B", "B", "B"},
	/* 20: addp4 addp6 subp4 subp6 cvtpt mulp cvttp divp */
	{"wbwb", "wbwbwb", "wbwb", "wbwbwb", "wbbwb", "wbwbwb", "wbbwb", "wbwbwb"},
	/* 28: movc3 cmpc3 scanc spanc movc5 cmpc5 movtc movtuc */
	{"wbb", "wbb", "wbbb", "wbbb", "wbbwb", "wbbwb", "wbbbwb", "wbbbwb"},
	/* 30: bsbw brw cvtwl cvtwb movp cmpp3 cvtpl cmpp4 */
	{"W", "W", "wl", "wb", "wbb", "wbb", "wbl", "wbwb"},
	/* 38: editpc matchc locc skpc movzwl acbw movaw pushaw */
	{"wbbb", "wbwb", "bwb", "bwb", "wl", "wwwW", "wl", "w"},
	/* 40: addf2 addf3 subf2 subf3 mulf2 mulf3 divf2 divf3 */
	{"ff", "fff", "ff", "fff", "ff", "fff", "ff", "fff"},
	/* 48: cvtfb cvtfw cvtfl cvtrfl cvtbf cvtwf cvtlf acbf */
	{"fb", "fw", "fl", "fl", "bf", "wf", "lf", "fffW"},
	/* 50: movf cmpf mnegf tstf emodf polyf cvtfd, reserved */
	{"ff", "ff", "ff", "f", "fbflf", "fwb", "fd"},
	/* 58: adawi, three reserved, insqhi insqti remqhi remqti */
	{"ww", NULL, NULL, NULL, "bq", "bq", "ql", "ql"},
	/* 60: addd2 addd3 subd2 subd3 muld2 muld3 divd2 divd3 */
	{"dd", "ddd", "dd", "ddd", "dd", "ddd", "dd", "ddd"},
	/* 68: cvtdb cvtdw cvtdl cvtrdl cvtbd cvtwd cvtld acbd */
	{"db", "dw", "dl", "dl", "bd", "wd", "ld", "dddW"},
	/* 70: movd cmpd mnegd tstd emodd polyd cvtdf, reserved */
	{"dd", "dd", "dd", "d", "dbdld", "dwb", "df"},
	/* 78: ashl ashq emul ediv clrq movq movaq pushaq */
	{"bll", "bqq", "lllq", "lqll", "q", "qq", "ql", "q"},
	/* 80: addb2 addb3 subb2 subb3 mulb2 mulb3 divb2 divb3 */
	{"bb", "bbb", "bb", "bbb", "bb", "bbb", "bb", "bbb"},
	/* 88: bisb2 bisb3 bicb2 bicb3 xorb2 xorb3 mnegb caseb */
	{"bb", "bbb", "bb", "bbb", "bb", "bbb", "bb", "bbb"},
	/* 90: movb cmpb mcomb bitb clrb tstb incb decb */
	{"bb", "bb", "bb", "bb", "b", "b", "b", "b"},
	/* 98: cvtbl cvtbw movzbl movzbw rotl acbb movab pushab */
	{"bl", "bw", "bl", "bw", "bll", "bbbW", "bl", "b"},
	/* a0: addw2 addw3 subw2 subw3 mulw2 mulw3 divw2 divw3 */
	{"ww", "www", "ww", "www", "ww", "www", "ww", "www"},
	/* a8: bisw2 bisw3 bicw2 bicw3 xorw2 xorw3 mnegw casew */
	{"ww", "www", "ww", "www", "ww", "www", "ww", "www"},
	/* b0: movw cmpw mcomw bitw clrw tstw incw decw */
	{"ww", "ww", "ww", "ww", "w", "w", "w", "w"},
	/* b8: bispsw bicpsw popr pushr chmk chme chms chmu */
	{"w", "w", "w", "w", "w", "w", "w", "w"},
	/* c0: addl2 addl3 subl2 subl3 mull2 mull3 divl2 divl3 */
	{"ll", "lll", "ll", "lll", "ll", "lll", "ll", "lll"},
	/* c8: bisl2 bisl3 bicl2 bicl3 xorl2 xorl3 mnegl casel */
	{"ll", "lll", "ll", "lll", "ll", "lll", "ll", "lll"},
	/* d0: movl cmpl mcoml bitl clrl tstl incl decl */
	{"ll", "ll", "ll", "ll", "l", "l", "l", "l"},
	/* d8: adwc sbwc mtpr mfpr movpsl pushl moval pushal */
	{"ll", "ll", "ll", "ll", "l", "l", "ll", "l"},
	/* e0: bbs bbc bbss bbcs bbsc bbcc bbssi bbcci */
	{"lbB", "lbB", "lbB", "lbB", "lbB", "lbB", "lbB", "lbB"},
	/* e8: blbs blbc ffs ffc cmpv cmpzv extv extzv */
	{"lB", "lB", "lbbl", "lbbl", "lbbl", "lbbl", "lbbl", "lbbl"},
	/* f0: insv acbl aoblss aobleq sobgeq sobgtr cvtlb cvtlw */
	{"llbb", "lllW", "llB", "llB", "lB", "lB", "lb", "lw"},
	/* f8: ashp cvtlp callg calls xfc */
	{"bwbbwb", "lwb", "bb", "lb", ""},
};

/* Behind VAX_TWO_BYTES.  Those of vectors have their control word for an operand of 2 bytes. */
static const char *const vax_two_bytes[32][8] = {
	/* 00: reserved */
	{NULL},
	{NULL},
	{NULL},
	{NULL},
	{NULL},
	{NULL},
	/* 30: mfvp cvtdh cvtgf vldl vgathl vldq vgathq */
	{NULL, "wl", "dh", "gf", "wbl", "wb", "wbl", "wb"},
	/* 38: reserved */
	{NULL},
	/* 40: addg2 addg3 subg2 subg3 mulg2 mulg3 divg2 divg3 */
	{"gg", "ggg", "gg", "ggg", "gg", "ggg", "gg", "ggg"},
	/* 48: cvtgb cvtgw cvtgl cvtrgl cvtbg cvtwg cvtlg acbg */
	{"gb", "gw", "gl", "gl", "bg", "wg", "lg", "gggW"},
	/* 50: movg cmpg mnegg tstg emodg polyg cvtgh */
	{"gg", "gg", "gg", "g", "gwglg", "gwb", "gh"},
	/* 58: reserved */
	{NULL},
	/* 60: addh2 addh3 subh2 subh3 mulh2 mulh3 divh2 divh3 */
	{"hh", "hhh", "hh", "hhh", "hh", "hhh", "hh", "hhh"},
	/* 68: cvthb cvthw cvthl cvtrhl cvtbh cvtwh cvtlh acbh */
	{"hb", "hw", "hl", "hl", "bh", "wh", "lh", "hhhW"},
	/* 70: movh cmph mnegh tsth emodh polyh cvthg */
	{"hh", "hh", "hh", "h", "hwhlh", "hwb", "hg"},
	/* 78: clro movo movao pushao */
	{NULL, NULL, NULL, NULL, "o", "oo", "ol", "o"},
	/* 80: vvaddl vsaddl vvaddg vsaddg vvaddf vsaddf vvaddd vsaddd */
	{"w", "wl", "w", "wq", "w", "wl", "w", "wq"},
	/* 88: vvsubl vssubl vvsubg vssubg vvsubf vssubf vvsubd vssubd */
	{"w", "wl", "w", "wq", "w", "wl", "w", "wq"},
	/* 90: reserved */
	{NULL},
	/* 98: cvtfh cvtfg; vstl vscatl vstq vscatq */
	{"fh", "fg", NULL, NULL, "wbl", "wb", "wbl", "wb"},
	/* a0: vvmull vsmull vvmulg vsmulg vvmulf vsmulf vvmuld vsmuld */
	{"w", "wl", "w", "wq", "w", "wl", "w", "wq"},
	/* a8: vsync mtvp vvdivg vsdivg vvdivf vsdivf vvdivd vsdivd */
	{"w", "wl", "w", "wq", "w", "wl", "w", "wq"},
	/* b0: reserved */
	{NULL},
	{NULL},
	/* c0: vvcmpl vscmpl vvcmpg vscmpg vvcmpf vscmpf vvcmpd vscmpd */
	{"w", "wl", "w", "wq", "w", "wl", "w", "wq"},
	/* c8: vvbisl vsbisl; vvbicl vsbicl */
	{"w", "wl", NULL, NULL, "w", "wl"},
	/* d0: reserved */
	{NULL},
	{NULL},
	/* e0: vvsrll vssrll; vvslll vsslll */
	{"w", "wl", NULL, NULL, "w", "wl"},
	/* e8: vvxorl vsxorl; vvcvt iota vvmerge vsmerge */
	{"w", "wl", NULL, NULL, "w", "wl", "w", "wq"},
	/* f0: cvthf cvthd */
	{NULL, NULL, NULL, NULL, NULL, NULL, "hf", "hd"},
};

#endif
