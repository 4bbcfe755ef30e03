/** A string, a quoted name, a comment, or a placeholder of SQLite: `?`, `?1`, `$name`, `:name`, `@name`. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?\d*|[$:@]\w+/g;

/** Returns a statement with numbered placeholders, and how many there are. Nothing else of it changes. */
export function numbered(statement: string): { text: string; count: number } {
  const names = new Map<string, number>();
  let count = 0;
  const text = statement.replace(TOKEN, (token) => {
    const isPlaceholder = /^[?$:@]/.test(token);
    if (!isPlaceholder) return token;
    const number = /^\?(\d+)$/.exec(token)?.[1];
    if (number !== undefined) {
      count = Math.max(count, Number(number));
      return `$${number}`;
    }
    const known = token === "?" ? undefined : names.get(token);
    if (known !== undefined) return `$${known}`;
    count++;
    names.set(token, count);
    return `$${count}`;
  });
  return { text, count };
}
