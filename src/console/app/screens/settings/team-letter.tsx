/** @jsxRuntime automatic @jsxImportSource preact */

const HUES = 12;

/** The first letter of a person's name in a circle, whose colour stays the same. */
export function Letter({ person: { id, name } }: { person: { id: string; name: string } }) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  const [letter = "?"] = name.trim();
  return (
    <span class={`team-letter team-hue-${sum % HUES}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
