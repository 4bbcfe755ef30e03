const MAX_CHARACTERS = 200;
const MAX_ITEMS = 20;

/** Returns a value in a form that is short, and without what an address may carry after its path. */
export function redacted(value: unknown): unknown {
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map(redacted);
    return value.length > MAX_ITEMS ? [...shown, `… ${value.length - MAX_ITEMS} more`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, field]) => [name.slice(0, MAX_CHARACTERS), redacted(field)]),
  );
}

function shortText(text: string): string {
  const shown = /^https?:/i.test(text) ? text.replace(/[?#].*$/s, "") : text;
  return shown.length > MAX_CHARACTERS
    ? `${shown.slice(0, MAX_CHARACTERS)}… (${shown.length} characters)`
    : shown;
}
