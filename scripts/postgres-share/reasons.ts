/** Why a statement does not plan: the first that fits its text or the error. */
const REASONS: readonly [reason: string, statement: RegExp | undefined, error: RegExp | undefined][] = [
  ["full-text search (FTS5): tsvector and GIN, or pg_trgm", /\b(?:track_text|library_words)\b/, undefined],
  ["sound_vectors and vec_… of sqlite-vec: pgvector", /\bsound_vectors(?:_chunks)?\b/, undefined],
  ["json_each over a list: = ANY($1)", /\bjson_each\b/i, undefined],
  ["other JSON functions", /\bjson_\w+\(/i, undefined],
  ["ifnull: coalesce", undefined, /function ifnull/],
  ["iif: CASE", undefined, /function iif/],
  ["unixepoch and other functions of time", undefined, /function (?:unixepoch|strftime|date|julianday)/],
  ["min or max of several values: least, greatest", undefined, /function (?:min|max)\(/],
  ["another function of SQLite", undefined, /function \w+\(.*does not exist/],
  ["an upsert with an ambiguous column: qualify it", undefined, /ambiguous/],
  ["INSERT OR IGNORE or REPLACE: ON CONFLICT", /^(?:insert or|replace)/i, undefined],
  ["pragma or sqlite_master", /\bpragma_|\bsqlite_/i, undefined],
  ["rowid", undefined, /"?rowid"? does not exist/],
  ["GROUP BY that leaves a column to chance", undefined, /GROUP BY clause/],
  [
    "a comparison or sum of different types",
    undefined,
    /operator does not exist|cannot be matched|must be type|is of type/,
  ],
  ["the type of a placeholder is not known: cast it", undefined, /could not determine data type/],
  ["a hint of SQLite (INDEXED BY, NOT INDEXED, +column)", /\b(?:not )?indexed\b/i, undefined],
  ["syntax", undefined, /syntax error/],
];

/** Returns the kind of change that a statement needs. */
export function reasonOf(statement: string, error: string): string {
  const found = REASONS.find(
    ([, inStatement, inError]) => (inStatement?.test(statement) ?? true) && (inError?.test(error) ?? true),
  );
  return found?.[0] ?? `others (${error.slice(0, 60)})`;
}
