/**
 * Checks a proof of a Dubplate ledger without any server. Runs on Node 18 or newer, or Bun, and needs nothing else:
 *   node ledger-verify.mjs PROOF.json [AUDIO] [--key HEX]
 * Exit 0: every check holds. Exit 1: the first that does not is named. Formats: RFC 9162 section 2.1, RFC 8785, RFC 8032. A time
 * stamp (RFC 3161) is compared with the head; its signature is for `openssl ts`, whose command is printed.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (text) => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("a number is not hexadecimal");
  return Buffer.from(text, "hex");
};
const need = (holds, what) => {
  if (!holds) throw new Error(what);
};

/** The root of a tree of `size` records, from one record and its path: RFC 9162, section 2.1.3.2. */
function rootFrom(leaf, index, size, path) {
  need(Number.isSafeInteger(index) && index >= 0 && index < size, "the record lies outside the tree");
  let [position, last, hash] = [index, size - 1, leaf];
  for (const step of path) {
    need(last > 0, "the path is too long");
    if (position % 2 === 1 || position === last) {
      hash = sha256(Uint8Array.of(1), step, hash);
      while (position % 2 === 0 && position !== 0)
        [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
    } else hash = sha256(Uint8Array.of(1), hash, step);
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  need(last === 0, "the path is too short");
  return hash;
}

/** A proof as it lies in a file: by itself, or as a program got it from the server. */
export const proofIn = (text, given = JSON.parse(text)) => (given.entry ? given : (given.data ?? {}));

/** Throws an Error that names the first check which does not hold. `file` is the SHA-256 of the audio, `key` the key to expect. */
export function check(proof, { file, key } = {}) {
  const { v, entry, opening, index, path, head, signature, publicKey, stamp } = proof;
  need(v === 1 && entry?.v === 1 && head?.v === 1, "this is not a proof of this format");
  need(opening && Array.isArray(path), "the proof is not whole");
  need(key === undefined || key.toLowerCase() === publicKey, "another key signed than the one you gave");
  need(sha256(hex(publicKey)).toString("hex").slice(0, 32) === head.log, "the key is not the ledger's");
  const spki = Buffer.concat([hex("302a300506032b6570032100"), hex(publicKey)]);
  const ed25519 = createPublicKey({ key: spki, format: "der", type: "spki" });
  const signed = Buffer.from(`dubplate-ledger-head\n${canonical(head)}`);
  need(verify(null, signed, ed25519, hex(signature)), "the signature of the ledger's head");
  need(!stamp || stamp.hash === sha256(signed).toString("hex"), "the time stamp is of another head");
  need(entry.seq === index, "the record's number");
  const root = rootFrom(sha256(Uint8Array.of(0), canonical(entry)), index, head.size, path.map(hex));
  need(root.toString("hex") === head.root, "the record is not in the signed ledger");
  const commitment = sha256(hex(opening.salt), canonical(opening.detail)).toString("hex");
  need(commitment === entry.commitment, "the details are not those committed to");
  need(file === undefined || file === opening.detail.sha256, `the file is another one (SHA-256 ${file})`);
}

/** The SHA-256 of a file of any size. */
export function hashFile(path) {
  const [hash, piece, fd] = [createHash("sha256"), Buffer.alloc(1 << 20), openSync(path, "r")];
  for (let length = readSync(fd, piece); length > 0; length = readSync(fd, piece))
    hash.update(piece.subarray(0, length));
  closeSync(fd);
  return hash.digest("hex");
}

/** What a proof that holds says. */
export const describe = ({ entry, opening, head, publicKey, index, stamp }, file) =>
  [
    `VALID: ${entry.type} of ${entry.subject}, record ${index} of ${head.size}, at ${entry.at}`,
    `  ${canonical(opening.detail)}`,
    `  signed ${head.at} by key ${publicKey}${file === undefined ? "" : "; the file is the one recorded"}`,
    stamp
      ? `  stamped ${stamp.at}: check \`stamp.token\`, decoded from base64, with the authority's certificate:\n  openssl ts -verify -digest ${stamp.hash} -token_in -in token.der -CAfile authority.pem`
      : "  The time is the word of the key's holder, as far as nobody else kept a head of this ledger.",
  ].join("\n");

if (process.argv[1]?.endsWith(".mjs")) {
  try {
    const args = process.argv.slice(2);
    const at = args.indexOf("--key");
    const key = at < 0 ? undefined : args.splice(at, 2)[1];
    need(args.length > 0, "no proof given: node ledger-verify.mjs PROOF.json [AUDIO] [--key HEX]");
    const proof = proofIn(readFileSync(args[0], "utf8"));
    const file = args[1] === undefined ? undefined : hashFile(args[1]);
    check(proof, { file, key });
    console.log(describe(proof, file));
  } catch (error) {
    console.error(`NOT VALID: ${error.message}`);
    process.exitCode = 1;
  }
}
