import { type Kind, lex, type Piece } from "./lexer.ts";

// The notation of phrases, in `db/lexicon` and in the rules:
//
//   words       as written in plain text; a blank is one blank, never a line break
//   _           a blank or a hyphen
//   ~           white space of any kind, or nothing
//   (a|b)       one of them; `[a|b]` one of them or nothing; `*` after either: repeated
//   !(a|b)      not followed by; `=(a|b)` followed by
//   <type>      a phrase of that type; `<type=name>` remembers its text
//   <before a9-> and <after a9->, <not before ...>: the next or the previous character is one of these signs, a letter
//               (a), a digit (9), white space (_) or the end of the text (^)
//   \\~         a sign of the notation, taken literally

/** A compiled phrase. */
export type Pattern =
  | { is: "texts"; texts: readonly string[] }
  | { is: "shape"; fits: (piece: Piece) => boolean; first: Kind }
  | { is: "gap" }
  | { is: "edge"; side: "before" | "after"; negated: boolean; signs: string }
  | { is: "type"; type: string; name: string | undefined }
  | { is: "sequence"; parts: readonly Pattern[] }
  | { is: "choice"; options: readonly Pattern[] }
  | { is: "repeat"; part: Pattern }
  | { is: "look"; part: Pattern; negated: boolean };

const JOINT: Pattern = { is: "choice", options: [one(" "), one("-")] };
const NOTHING: Pattern = { is: "sequence", parts: [] };

function one(text: string): Pattern {
  return { is: "texts", texts: [text] };
}

function digits(of: RegExp): Pattern {
  return { is: "shape", fits: ({ kind, text }) => kind === "number" && of.test(text), first: "number" };
}

/** Built-in types: pieces, by what they are made of. */
export const SHAPES: Readonly<Record<string, Pattern>> = {
  digits: { is: "shape", fits: ({ kind }) => kind === "number", first: "number" },
  letters: { is: "shape", fits: ({ kind }) => kind === "word", first: "word" },
  "9": digits(/^\d$/),
  "99": digits(/^\d\d$/),
  "9-99": digits(/^\d{1,2}$/),
  "99-999": digits(/^\d{2,3}$/),
  "00-59": digits(/^[0-5]\d$/),
  comma: one(","),
  colon: one(":"),
  bar: one("|"),
  line: { is: "shape", fits: ({ kind }) => kind === "line", first: "line" },
};

/**
 * Compiles a phrase.
 *
 * @throws Error when a bracket is not closed: a mistake in the lexicon or a rule.
 */
export function compile(source: string): Pattern {
  const parser = { source, at: 0 };
  const pattern = choice(parser);
  if (parser.at < source.length) throw new Error(`A phrase has one bracket too many: ${source}`);
  return pattern;
}

type Parser = { source: string; at: number };

function choice(parser: Parser): Pattern {
  const options = [sequence(parser)];
  while (parser.source[parser.at] === "|") {
    parser.at++;
    options.push(sequence(parser));
  }
  return options.length === 1 ? (options[0] ?? NOTHING) : { is: "choice", options };
}

function sequence(parser: Parser): Pattern {
  const parts: Pattern[] = [];
  for (;;) {
    const sign = parser.source[parser.at];
    if (sign === undefined || sign === "|" || sign === ")" || sign === "]") break;
    parts.push(...part(parser, sign));
  }
  return parts.length === 1 ? (parts[0] ?? NOTHING) : { is: "sequence", parts };
}

function part(parser: Parser, sign: string): readonly Pattern[] {
  if (sign === "\\") return escaped(parser);
  if (sign === "~") return simple(parser, { is: "gap" });
  if (sign === "_") return simple(parser, JOINT);
  if (sign === "<") return [repeated(parser, named(parser))];
  if (sign === "(" || sign === "[") return [repeated(parser, group(parser))];
  const isLook = /^[!=]\(/.test(parser.source.slice(parser.at, parser.at + 2));
  if (isLook) {
    parser.at++;
    return [{ is: "look", part: group(parser), negated: sign === "!" }];
  }
  return literal(parser);
}

function simple(parser: Parser, pattern: Pattern): readonly Pattern[] {
  parser.at++;
  return [pattern];
}

function escaped(parser: Parser): readonly Pattern[] {
  parser.at += 2;
  return [one(parser.source[parser.at - 1] ?? "")];
}

function repeated(parser: Parser, pattern: Pattern): Pattern {
  if (parser.source[parser.at] !== "*") return pattern;
  parser.at++;
  return { is: "repeat", part: pattern };
}

function group(parser: Parser): Pattern {
  const open = parser.source[parser.at];
  const close = open === "(" ? ")" : "]";
  parser.at++;
  const inner = choice(parser);
  if (parser.source[parser.at] !== close) throw new Error(`A phrase lacks its "${close}": ${parser.source}`);
  parser.at++;
  return open === "(" ? inner : { is: "choice", options: [inner, NOTHING] };
}

function named(parser: Parser): Pattern {
  const end = parser.source.indexOf(">", parser.at);
  if (end === -1) throw new Error(`A phrase lacks its ">": ${parser.source}`);
  const inner = parser.source.slice(parser.at + 1, end);
  parser.at = end + 1;
  const edge = /^(not )?(before|after) (.+)$/.exec(inner);
  if (edge)
    return {
      is: "edge",
      side: edge[2] === "before" ? "before" : "after",
      negated: edge[1] !== undefined,
      signs: edge[3] ?? "",
    };
  const [type = "", name] = inner.split("=");
  const shape = name === undefined ? SHAPES[type] : undefined;
  return shape ?? { is: "type", type, name };
}

/** Reads words and signs up to the next sign of the notation. */
function literal(parser: Parser): readonly Pattern[] {
  const rest = parser.source.slice(parser.at);
  const stop = rest.slice(1).search(/[|()[\]<~_\\]|[!=]\(/);
  const text = stop === -1 ? rest : rest.slice(0, stop + 1);
  parser.at += text.length;
  return [{ is: "texts", texts: lex(text).map((piece) => piece.text) }];
}

/** What a phrase may begin with (texts and kinds of pieces, or anything), and whether it may be empty. */
export type Firsts = {
  texts: ReadonlySet<string>;
  kinds: ReadonlySet<Kind>;
  isAny: boolean;
  isEmpty: boolean;
};

const NO_TEXT: ReadonlySet<string> = new Set();
const NO_KIND: ReadonlySet<Kind> = new Set();
const EMPTY: Firsts = { texts: NO_TEXT, kinds: NO_KIND, isAny: false, isEmpty: true };

/** Returns what a phrase may begin with. */
export function firstsOf(pattern: Pattern, ofType: (type: string) => Firsts): Firsts {
  switch (pattern.is) {
    case "texts":
      return { ...EMPTY, texts: new Set(pattern.texts.slice(0, 1)), isEmpty: false };
    case "shape":
      return { ...EMPTY, kinds: new Set([pattern.first]), isEmpty: false };
    case "gap":
      return { ...EMPTY, kinds: new Set<Kind>(["blank", "line"]) };
    case "type":
      return ofType(pattern.type);
    case "repeat":
      return { ...firstsOf(pattern.part, ofType), isEmpty: true };
    case "choice": {
      const all = pattern.options.map((option) => firstsOf(option, ofType));
      return { ...together(all), isEmpty: all.some(({ isEmpty }) => isEmpty) };
    }
    case "sequence": {
      const all = pattern.parts.map((part) => firstsOf(part, ofType));
      const full = all.findIndex(({ isEmpty }) => !isEmpty);
      return { ...together(full === -1 ? all : all.slice(0, full + 1)), isEmpty: full === -1 };
    }
    default:
      return EMPTY;
  }
}

function together(all: readonly Firsts[]): Firsts {
  return {
    texts: new Set(all.flatMap(({ texts }) => [...texts])),
    kinds: new Set(all.flatMap(({ kinds }) => [...kinds])),
    isAny: all.some(({ isAny }) => isAny),
    isEmpty: false,
  };
}
