import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];
const INK: Colour = [0x17, 0x18, 0x1c];
const WHITE: Colour = [0xff, 0xff, 0xff];
const ACCENT: Colour = [0xe4, 0x57, 0x2e];
const PAPER: Colour = [0xfa, 0xf9, 0xf7];

/** The record of `pages/icon.svg` on its square of 32, from the outside in; a `line` is a groove of that width. */
const RECORD: readonly { radius: number; colour: Colour; line?: number; alpha?: number }[] = [
  { radius: 15, colour: INK },
  { radius: 12.2, colour: WHITE, line: 1, alpha: 0.28 },
  { radius: 9.6, colour: WHITE, line: 1, alpha: 0.28 },
  { radius: 6.4, colour: ACCENT },
  { radius: 1.5, colour: INK },
];
const SQUARE = 32;
/** Systems cut icons to their own shape; a circle of four fifths of the width is always left. */
const SAFE = 0.8;

/** Draws the mark as a PNG picture: on nothing, or on paper with room at the edges, for systems that cut icons to a shape. */
export function drawIcon(sizePx: number, isOnPaper: boolean): Uint8Array<ArrayBuffer> {
  const scale = (sizePx / SQUARE) * (isOnPaper ? SAFE : 1);
  const rows = Buffer.alloc(sizePx * (1 + 4 * sizePx)); // each row begins with a byte: no filter
  for (let y = 0; y < sizePx; y++)
    for (let x = 0; x < sizePx; x++) {
      const distance = Math.hypot(x + 0.5 - sizePx / 2, y + 0.5 - sizePx / 2);
      rows.set(pixelAt(distance, scale, isOnPaper), y * (1 + 4 * sizePx) + 1 + 4 * x);
    }
  return png(sizePx, rows);
}

function pixelAt(distance: number, scale: number, isOnPaper: boolean): [...Colour, alpha: number] {
  let [colour, alpha]: [Colour, number] = [isOnPaper ? PAPER : INK, isOnPaper ? 1 : 0];
  for (const { radius, colour: over, line, alpha: strength = 1 } of RECORD) {
    const edge =
      line === undefined
        ? distance - radius * scale
        : Math.abs(distance - radius * scale) - (line * scale) / 2;
    const share = strength * Math.max(0, Math.min(1, 0.5 - edge));
    const mixed = (at: 0 | 1 | 2) => Math.round(over[at] * share + colour[at] * (1 - share));
    colour = alpha === 0 ? over : [mixed(0), mixed(1), mixed(2)];
    alpha = share + alpha * (1 - share);
  }
  return [...colour, Math.round(alpha * 255)];
}

/** @see W3C 2025, "Portable Network Graphics (PNG) Specification (Third Edition)", sections 5.3 and 11.2. */
function png(sizePx: number, rows: Buffer): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(sizePx, 0);
  head.writeUInt32BE(sizePx, 4);
  head.set([8, 6], 8); // bits per channel; colours with alpha
  const parts = [
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]));
}

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
