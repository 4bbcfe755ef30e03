/** @jsxRuntime automatic @jsxImportSource preact */
import { clock } from "../../player/time.ts";
import { InNumbers } from "../../ui/in-numbers.tsx";
import { percent } from "../../ui/numbers.ts";
import type { HeardTrack } from "./listening.ts";

/** The curve in numbers, folded. */
export function SliceTable({ track, visitCount }: { track: HeardTrack; visitCount: number }) {
  const { curve, durationSec, title } = track;
  const atOf = (slice: number) => clock((slice * (durationSec ?? 0)) / curve.length);
  return (
    <InNumbers of={title} label="Heard by slice" columns={["From", "To", "Visits", "Share"]}>
      {curve.map((share, slice) => (
        <tr key={slice}>
          <td>{atOf(slice)}</td>
          <td>{atOf(slice + 1)}</td>
          <td>{Math.round(share * visitCount)}</td>
          <td>{percent(share)}</td>
        </tr>
      ))}
    </InNumbers>
  );
}
