/** @jsxRuntime automatic @jsxImportSource preact */
import { href } from "../../first-data.ts";
import { grouped } from "../../ui/numbers.ts";
import { change, type Insights } from "./insights.ts";

/** What the sums are of, and where what made them can be seen. */
const SUMS = [
  { of: "plays", name: "Plays", path: "/library/links" },
  { of: "views", name: "Views", path: "/library/links" },
  { of: "downloads", name: "Downloads", path: "/library/links" },
  { of: "comments", name: "Comments", path: "/library?sort=-updated_at" },
  { of: "shares", name: "Links made", path: "/library/links" },
  { of: "uploaded", name: "Tracks added", path: "/library" },
] as const;

/** The sums of the range, beside those of the days before. */
export function Sums({ insights, isCompared }: { insights: Insights; isCompared: boolean }) {
  const { totals, totalsBefore, peopleCount } = insights;
  return (
    <dl class="insight-sums">
      {SUMS.map(({ of, name, path }) => (
        <Sum
          key={of}
          name={name}
          path={path}
          count={totals[of]}
          note={isCompared ? change(totals[of], totalsBefore?.[of]) : undefined}
        />
      ))}
      <Sum name="People" path="/library/links" count={peopleCount} note="used their links" />
    </dl>
  );
}

type SumProps = { name: string; path: string; count: number; note: string | undefined };

function Sum({ name, path, count, note }: SumProps) {
  return (
    <div class="insight-sum">
      <dt>
        <a href={href(path)}>{name}</a>
      </dt>
      <dd>
        <span class="insight-number">{grouped(count)}</span>
        {note !== undefined && <span class="insight-change">{note}</span>}
      </dd>
    </div>
  );
}
