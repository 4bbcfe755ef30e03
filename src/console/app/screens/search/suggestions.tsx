/** @jsxRuntime automatic @jsxImportSource preact */
import { useQuery } from "../../api/queries.ts";
import { stepsQuery } from "../../start/first-steps.tsx";

/** What shows while the library has no tags. */
const BRIEFS = [
  "Something calm and slow with piano, no drums",
  "Driving techno around 130 BPM, dark but hopeful",
  "Warm and sunny, 1:30 to 3 minutes, for a travel film",
];

/** A few briefs to begin with: of the library's own tags, once it has any. */
export function Suggestions({ onChoose }: { onChoose: (text: string) => void }) {
  const own = useQuery(stepsQuery).data?.data.briefs ?? [];
  return (
    <section class="search-start" aria-label="Examples">
      <p class="soft">
        Write as you would to a friend: mood, instruments, tempo, length, what it is for, and what it must not
        be. Or drop a file here, or paste the address of one: Dubplate finds what sounds like it.
      </p>
      <ul>
        {(own.length > 0 ? own : BRIEFS).map((brief) => (
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
