/** @jsxRuntime automatic @jsxImportSource preact */
/** What shows before the first search. */
const BRIEFS = [
  "Something calm and slow with piano, no drums",
  "Driving techno around 130 BPM, dark but hopeful",
  "Warm and sunny, 1:30 to 3 minutes, for a travel film",
];

/** A few briefs to begin with. */
export function Suggestions({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <section class="search-start" aria-label="Examples">
      <p class="soft">
        Write as you would to a friend: mood, instruments, tempo, length, what it is for, and what it must not
        be.
      </p>
      <ul>
        {BRIEFS.map((brief) => (
          <li key={brief}>
            <button type="button" class="search-example" onClick={() => onChoose(brief)}>
              {brief}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
