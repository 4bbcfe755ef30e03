/** Just enough of a WebAssembly assembler for small kernels: sections, LEB128 numbers, exported functions. */
export type WasmFunction = {
  /** Name under which the function is exported. */
  name: string;
  /** One byte a parameter: `I32` or `F32`. The function returns nothing. */
  params: readonly number[];
  /** Types of the local variables after the parameters. */
  locals: readonly number[];
  /** Without the closing `end`. */
  body: Code;
};

/** Instructions, as bytes. */
export type Code = readonly number[];

export const I32 = 0x7f;
export const V128 = 0x7b;

const FUNCTION_TYPE = 0x60;
const EMPTY_BLOCK = 0x40;
const [TYPE, IMPORT, FUNCTION, EXPORT, CODE] = [1, 2, 3, 7, 10] as const;
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Returns the module: its memory is imported as `env.memory`, each function is exported. */
export function assemble(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...HEADER,
    ...section(
      TYPE,
      list(functions.map(({ params }) => [FUNCTION_TYPE, ...list(params.map((type) => [type])), 0])),
    ),
    // One memory of at least one page, no upper limit.
    ...section(IMPORT, list([[...text("env"), ...text("memory"), 2, 0, 1]])),
    ...section(FUNCTION, list(functions.map((_, index) => unsigned(index)))),
    ...section(EXPORT, list(functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]))),
    ...section(CODE, list(functions.map(codeOf))),
  ]);
}

/** Joins instructions. */
export function code(...parts: Code[]): number[] {
  return parts.flat();
}

function codeOf({ locals, body }: WasmFunction): number[] {
  const bytes = [...list(locals.map((type) => [1, type])), ...body, END];
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): number[] {
  return [...unsigned(name.length), ...new TextEncoder().encode(name)];
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

const END = 0x0b;
const shuffle = (bytes: number, lanes: readonly number[]) => [
  ...vector(0x0d),
  ...lanes.flatMap((lane) => Array.from({ length: bytes }, (_, byte) => bytes * lane + byte)),
];
const vector = (opcode: number) => [0xfd, ...unsigned(opcode)];
/** Adds to the address instead of naming the offset: JavaScriptCore splats in one step only what lies at no offset. */
const offsetBy = (offset: number) => (offset === 0 ? [] : [0x41, ...signed(offset), 0x6a]);

/** Opcodes, with their operands. `offset` is in bytes; every access may be unaligned. */
export const op = {
  get: (local: number) => [0x20, ...unsigned(local)],
  set: (local: number) => [0x21, ...unsigned(local)],
  constant: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  subtract: [0x6b],
  multiply: [0x6c],
  isLess: [0x49],
  isZero: [0x45],
  toFloat: [0xb2],
  multiplyFloat: [0x94],
  loadInt: [0x28, 0, 0],
  loadFloat: [0x2a, 0, 0],
  storeFloat: [0x38, 0, 0],
  /** Repeats its body as long as that ends with a number other than 0. */
  loopWhile: (...body: Code[]) => [0x03, EMPTY_BLOCK, ...code(...body), 0x0d, 0, END],
  /** Runs its body unless the number before it is 0. */
  when: (...body: Code[]) => [0x04, EMPTY_BLOCK, ...code(...body), END],
  loadVector: (offset = 0) => [...vector(0x00), 0, ...unsigned(offset)],
  splat: vector(0x11),
  lane: (index: number) => [...vector(0x1b), index],
  /** Eight int8 become int16: those of the lower, or of the upper half. */
  widenLow: vector(0x87),
  widenHigh: vector(0x88),
  /** int16 times int16, pairs added to four int32. */
  dotPairs: vector(0xba),
  addVector: vector(0xae),
  /** Four int32 become float32. */
  toFloats: vector(0xfa),
  addFloat: [0x92],
  maxFloat: [0x97],
  storeVector: (offset = 0) => [...vector(0x0b), 0, ...unsigned(offset)],
  /** Four times the float32, or the pair of int16, at an address. */
  loadSplat: (offset = 0) => [...offsetBy(offset), ...vector(0x09), 0, 0],
  floatLane: (index: number) => [...vector(0x1f), index],
  absFloats: vector(0xe0),
  and: vector(0x4e),
  or: vector(0x50),
  equalFloats: vector(0x41),
  addFloats: vector(0xe4),
  subtractFloats: vector(0xe5),
  multiplyFloats: vector(0xe6),
  /** The lower and the higher of two float32 that are numbers. */
  lowerFloats: vector(0xea),
  higherFloats: vector(0xeb),
  higherInts: vector(0xb8),
  loadDouble: (offset = 0) => [0x2b, 0, ...unsigned(offset)],
  storeDouble: (offset = 0) => [0x39, 0, ...unsigned(offset)],
  /** Twice the float64 at an address. */
  loadDoubleSplat: (offset = 0) => [...offsetBy(offset), ...vector(0x0a), 0, 0],
  /** Two float32 in the lower half of a vector, and those two as float64. */
  loadTwoFloats: (offset = 0) => [...vector(0x5d), 0, ...unsigned(offset)],
  toDoubles: vector(0x5f),
  /** The float32 at an address and zeros. */
  loadFloatOnly: [...vector(0x5c), 0, 0],
  /** Of an address and a vector, the vector with the float32 at the address as its second. */
  loadSecondFloat: [...vector(0x56), 0, 0, 1],
  /** The first float64 of two vectors. In this way, and not with a shuffle, it takes one step. */
  firstDoubles: [...vector(0x21), 0, ...vector(0x22), 1],
  /** The second float64 of two vectors, of which the other one lies below: in two steps, where a shuffle takes three. */
  secondDoublesReversed: [...vector(0x21), 1, ...vector(0x22), 0],
  firstDouble: [...vector(0x21), 0],
  /** Of two vectors of two float64, the lanes with these numbers, 0 to 3. */
  shuffleDoubles: (first: number, second: number) => shuffle(8, [first, second]),
  /** Of two vectors of four float32, the lanes with these numbers, 0 to 7. */
  shuffleFloats: (...lanes: [number, number, number, number]) => shuffle(4, lanes),
  addDoubles: vector(0xf0),
  subtractDoubles: vector(0xf1),
  multiplyDoubles: vector(0xf2),
  divideDoubles: vector(0xf3),
  /** The first of two float64, or the second where that is lower; where one is NaN, the first. */
  lowerDoubles: vector(0xf6),
  /** The first of two float64, or the second where that is higher; where one is NaN, the first. */
  higherDoubles: vector(0xf7),
  equalDoubles: vector(0x47),
  differentDoubles: vector(0x48),
  /** Of two vectors, the bits of the first where those of the third are 1, and otherwise those of the second. */
  select: vector(0x52),
  /** Two float64 as float32, in the lower half of a vector. */
  fromDoubles: vector(0x5e),
  /** Writes the lower half of a vector. */
  storeHalf: (offset = 0) => [...vector(0x5b), 0, ...unsigned(offset), 0],
} as const;
