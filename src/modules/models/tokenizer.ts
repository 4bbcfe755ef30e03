import { ModelUnavailableError } from "./provider.ts";

/** Turns words into the numbers of a model's vocabulary. */
export type Tokenizer = (text: string) => number[];

/** Parts of words as GPT-2 and RoBERTa cut them: contractions, letters, digits, other signs, blanks. */
const PARTS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/**
 * Returns the byte-level BPE tokenizer that a Hugging Face `tokenizer.json` describes, as RoBERTa uses it: the text
 * between `<s>` and `</s>`, no blank put before it, at most `maxTokens` in all.
 *
 * @throws ModelUnavailableError when the file is of another kind.
 */
export function readTokenizer(json: string, maxTokens: number): Tokenizer {
  const { vocabulary, ranks } = readModel(json);
  const start = vocabulary.get("<s>");
  const end = vocabulary.get("</s>");
  const unknown = vocabulary.get("<unk>");
  if (start === undefined || end === undefined) throw wrongKind("it has no <s> and </s>");
  const letters = byteLetters();

  return (text) => {
    const tokens: number[] = [];
    for (const [part] of text.normalize("NFC").matchAll(PARTS)) {
      const bytes = new TextEncoder().encode(part);
      for (const piece of merged(
        Array.from(bytes, (byte) => letters[byte] ?? ""),
        ranks,
      )) {
        const number = vocabulary.get(piece) ?? unknown;
        if (number !== undefined) tokens.push(number);
      }
    }
    return [start, ...tokens.slice(0, maxTokens - 2), end];
  };
}

function readModel(json: string): { vocabulary: Map<string, number>; ranks: Map<string, number> } {
  const model = modelOf(json);
  const { vocab, merges } = model ?? {};
  if (model?.type !== "BPE" || typeof vocab !== "object" || vocab === null || !Array.isArray(merges))
    throw wrongKind("it is no BPE model");
  const pairs = merges.map((merge: unknown) => (Array.isArray(merge) ? merge.join(" ") : String(merge)));
  return {
    vocabulary: new Map(Object.entries(vocab).map(([piece, number]) => [piece, Number(number)])),
    ranks: new Map(pairs.map((pair, rank) => [pair, rank])),
  };
}

function modelOf(json: string): Record<string, unknown> | undefined {
  try {
    return (JSON.parse(json) as { model?: Record<string, unknown> }).model;
  } catch {
    return undefined;
  }
}

const wrongKind = (why: string) => new ModelUnavailableError(`tokenizer.json cannot be used: ${why}`);

/** Joins neighbours, always the pair that was learnt first, until no pair is left that was learnt. */
function merged(letters: string[], ranks: ReadonlyMap<string, number>): string[] {
  let pieces = letters;
  for (;;) {
    let best = -1;
    let bestRank = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const rank = ranks.get(`${pieces[i]} ${pieces[i + 1]}`) ?? Number.POSITIVE_INFINITY;
      if (rank < bestRank) [best, bestRank] = [i, rank];
    }
    if (best < 0) return pieces;
    const [left, right] = [pieces[best] ?? "", pieces[best + 1] ?? ""];
    pieces = joined(pieces, left, right);
  }
}

function joined(pieces: readonly string[], left: string, right: string): string[] {
  const out: string[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const isPair = pieces[i] === left && pieces[i + 1] === right;
    out.push(isPair ? left + right : (pieces[i] ?? ""));
    if (isPair) i++;
  }
  return out;
}

/** Byte-level BPE writes each byte as a letter that can be seen: printable ones as themselves, others from 256 on. */
function byteLetters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}
