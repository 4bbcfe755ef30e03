/** @jsxRuntime automatic @jsxImportSource preact */

import { clock } from "../../player/time.ts";
import { ListenedNote } from "../../share/listened.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { counted, grouped } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Way } from "../../ui/way.tsx";
import type { Person } from "./insights.ts";

/** Stopping so shortly before the end is hearing it to the end. */
const END_SEC = 3;
const COLUMNS = ["Person", "Plays", "Heard", "Stopped at", "Last here"] as const;

/** Who used the links that were made for them. */
export function TopPeople({ people, count }: { people: readonly Person[]; count: number }) {
  return (
    <section class="insight-part">
      <h2>Top people</h2>
      <PlainTable label="Top people" columns={COLUMNS} figures={["Plays"]}>
        {people.map((person) => (
          <tr key={person.name}>
            <th scope="row">
              <Way class="tap" path={placeOf(person)}>
                {person.name}
              </Way>
            </th>
            <td class="figure" data-label="Plays">
              {grouped(person.plays)}
            </td>
            <td data-label="Heard">{heardWords(person)}</td>
            <td data-label="Stopped at">{stopWords(person)}</td>
            <td data-label="Last here" title={wholeTime(person.lastAt)}>
              {ago(person.lastAt)}
            </td>
          </tr>
        ))}
      </PlainTable>
      <ListenedNote />
      {count > people.length && (
        <p class="soft">
          <Way class="tap" path="/library/links">
            All {grouped(count)} people
          </Way>
        </p>
      )}
    </section>
  );
}

/** The page of their link; of several, the list of them. */
function placeOf({ name, shareIds }: Person): string {
  const [only] = shareIds;
  return shareIds.length === 1 ? `/library/links/${only}` : `/library/links?for=${encodeURIComponent(name)}`;
}

function heardWords({ tracks, heardSec, lengthSec }: Person): string {
  if (tracks === 0) return "–";
  if (heardSec === 0) return counted(tracks, "track");
  const whole = lengthSec === null ? "" : ` of ${clock(lengthSec)}`;
  return `${clock(heardSec)}${whole}${tracks > 1 ? ` in ${counted(tracks, "track")}` : ""}`;
}

function stopWords({ stopped }: Person): string {
  if (stopped === null) return "–";
  const { title, atSec, durationSec } = stopped;
  if (durationSec !== null && atSec >= durationSec - END_SEC) return `The end of ${title}`;
  return `${clock(atSec)} of ${title}`;
}
