/** @jsxRuntime automatic @jsxImportSource preact */

import { clock } from "../../player/time.ts";
import { percent } from "../../ui/numbers.ts";
import type { HeardTrack } from "./listening.ts";

/** The curve in numbers, folded. */
export function SliceTable({ track, visitCount }: { track: HeardTrack; visitCount: number }) {
  const { curve, durationSec, title } = track;
  const atOf = (slice: number) => clock((slice * (durationSec ?? 0)) / curve.length);
  return (
    <details class="heat-table">
      <summary>
        In numbers<span class="sr-only">: {title}</span>
      </summary>
      <table aria-label="Heard by slice">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Visits</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {curve.map((share, slice) => (
            <tr key={slice}>
              <td>{atOf(slice)}</td>
              <td>{atOf(slice + 1)}</td>
              <td>{Math.round(share * visitCount)}</td>
              <td>{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
