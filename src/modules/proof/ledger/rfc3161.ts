/** `openssl ts` and every authority know SHA-256. @see RFC 5754, section 2.2 */
const SHA256 = Buffer.from("300d06096086480165030402010500", "hex");
/** id-signedData and id-ct-TSTInfo. @see RFC 5652, section 5.1; RFC 3161, section 2.4.2 */
const SIGNED_DATA = Buffer.from("2a864886f70d010702", "hex");
const TST_INFO = Buffer.from("2a864886f70d0109100104", "hex");

const [BOOLEAN, INTEGER, OCTETS, OID, TIME, SEQUENCE, EXPLICIT_0] = [
  0x01, 0x02, 0x04, 0x06, 0x18, 0x30, 0xa0,
];
/** Of whole values in answers: nothing here is deeper, and lengths have four bytes at most. */
const LONG_FORM = 0x80;
const MAX_LENGTH_BYTES = 4;

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> => {
  const content = Buffer.concat(parts);
  // Requests are short: the length has one byte.
  return Buffer.concat([Buffer.of(tag, content.length), content]);
};

/**
 * Returns what asks an authority for a time stamp of a hash, with its certificate.
 *
 * @param hash SHA-256.
 * @param nonce 8 bytes; the answer has the same.
 * @see RFC 3161, section 2.4.1
 */
export function stampRequest(hash: Uint8Array, nonce: Uint8Array): Buffer<ArrayBuffer> {
  const imprint = der(SEQUENCE, SHA256, der(OCTETS, hash));
  const version = der(INTEGER, Buffer.of(1));
  return der(SEQUENCE, version, imprint, der(INTEGER, positive(nonce)), der(BOOLEAN, Buffer.of(0xff)));
}

/** A number as DER has it: not negative, and without needless zeros. */
const positive = (nonce: Uint8Array) => {
  const copy = Buffer.from(nonce);
  copy[0] = 1 + ((copy[0] ?? 0) % 127);
  return copy;
};

/** A time stamp: the token as it came, and the time that it states, epoch milliseconds. */
export type Stamp = { token: Buffer; at: number };

/**
 * Reads the answer of an authority. The signature of the token is not checked: whoever relies on it does that with the authority's
 * certificate.
 *
 * @throws Error that says why it is no time stamp of this hash.
 */
export function readStampAnswer(answer: Uint8Array, hash: Uint8Array, nonce: Uint8Array): Stamp {
  const [status, token] = childrenOf(expect(valueAt(Buffer.from(answer), 0), SEQUENCE));
  const granted = childrenOf(expect(status, SEQUENCE))[0]?.content.toString("hex");
  // granted, and granted with modifications
  if (granted !== "00" && granted !== "01") throw new Error(`the authority refused: status ${granted}`);
  if (!token) throw new Error("the answer has no token");
  const stamp = { token: token.whole, at: readToken(token.whole, hash) };
  if (!tstInfoOf(token.whole).some(({ tag, content }) => tag === INTEGER && content.equals(positive(nonce))))
    throw new Error("the token answers another request");
  return stamp;
}

/**
 * Returns the time that a token states for a hash, epoch milliseconds.
 *
 * @throws Error when it is no token, or one of another hash.
 */
export function readToken(token: Uint8Array, hash: Uint8Array): number {
  const fields = tstInfoOf(Buffer.from(token));
  const imprint = childrenOf(expect(fields[2], SEQUENCE));
  if (!imprint[0]?.whole.subarray(2, 13).equals(SHA256.subarray(2, 13)) || !imprint[1]?.content.equals(hash))
    throw new Error("the token is of another hash");
  const time = expect(fields[4], TIME).content.toString("latin1");
  const [, year, month, day, hour, minute, second, part = ""] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(time) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${part.slice(0, 4)}Z`);
  if (Number.isNaN(at)) throw new Error("the token has no time");
  return at;
}

/** Returns the fields of what a token signs: version, policy, imprint, number, time and more. */
function tstInfoOf(token: Buffer): Value[] {
  const [type, signed] = childrenOf(expect(valueAt(token, 0), SEQUENCE));
  if (!expect(type, OID).content.equals(SIGNED_DATA)) throw new Error("the token is not signed data");
  const data = childrenOf(expect(childrenOf(expect(signed, EXPLICIT_0))[0], SEQUENCE));
  const [inner, content] = childrenOf(expect(data[2], SEQUENCE));
  if (!expect(inner, OID).content.equals(TST_INFO)) throw new Error("the token is not a time stamp");
  const octets = expect(childrenOf(expect(content, EXPLICIT_0))[0], OCTETS);
  return childrenOf(expect(valueAt(octets.content, 0), SEQUENCE));
}

type Value = { tag: number; content: Buffer; whole: Buffer };

function expect(value: Value | undefined, tag: number): Value {
  if (value?.tag !== tag) throw new Error("the answer is not built as RFC 3161 has it");
  return value;
}

function childrenOf({ content }: Value): Value[] {
  const children: Value[] = [];
  for (let at = 0; at < content.length; ) {
    const child = valueAt(content, at);
    children.push(child);
    at += child.whole.length;
  }
  return children;
}

function valueAt(bytes: Buffer, at: number): Value {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) throw new Error("the answer is cut short");
  const lengthBytes = first < LONG_FORM ? 0 : first - LONG_FORM;
  if (first === LONG_FORM || lengthBytes > MAX_LENGTH_BYTES || at + 2 + lengthBytes > bytes.length)
    throw new Error("the answer is not in DER");
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) throw new Error("the answer is cut short");
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) };
}
