/** @jsxRuntime automatic @jsxImportSource preact */
import { clock } from "../../../../pages/waveform.ts";
import { ago, wholeTime } from "../../ui/dates.ts";
import type { Visit } from "./listening.ts";

const COLUMNS = ["Last here", "Plays", "Heard", "Downloads", "Comments"] as const;

/** The table "Visits": what each visitor did. */
export function Visits({ visits }: { visits: readonly Visit[] }) {
  return (
    <div class="visits-scroll">
      <table class="visits" aria-label="Visits">
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visits.map(({ visit, at, plays, heardSec, downloads, comments }) => (
            <tr key={visit}>
              <td title={wholeTime(at)}>{ago(at)}</td>
              <td>{plays}</td>
              <td>{heardSec === undefined ? "–" : clock(heardSec)}</td>
              <td>{downloads}</td>
              <td>{comments}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
