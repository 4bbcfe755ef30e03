/** @jsxRuntime automatic @jsxImportSource preact */
import "./heard.css";
import { clock } from "../../player/time.ts";
import type { SheetProps } from "./queries.ts";
import { play, toPlay } from "./sound.ts";

/** Where the instruments and voices of a track are heard: each plays from its first place. */
export function Heard({
  track,
  title,
  versionId,
}: Omit<SheetProps, "versions"> & { versionId: string | undefined }) {
  const { heard = [] } = track.audio_profile;
  const { measured } = track.analysis;
  // They are places of the version that was analysed.
  if (heard.length === 0 || !measured || measured.versionId !== versionId) return null;
  const shareOf = (sec: number) => `${(100 * sec) / measured.durationSec}%`;
  return (
    <section class="heard" aria-label="Heard">
      <ul>
        {heard.map(({ name, places }) => (
          <li key={name}>
            <button
              type="button"
              class="heard-name"
              title={places.map(timesOf).join(", ")}
              onClick={() => play(toPlay(track, title, measured.versionId), places[0]?.fromSec)}
            >
              <span>
                <span class="sr-only">Play </span>
                {name}
                <span class="sr-only"> from </span>
              </span>
              <span class="soft">{clock(places[0]?.fromSec ?? 0)}</span>
            </button>
            <span class="heard-places" aria-hidden="true">
              {places.map(({ fromSec, toSec }) => (
                <span key={fromSec} style={{ left: shareOf(fromSec), width: shareOf(toSec - fromSec) }} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const timesOf = ({ fromSec, toSec }: { fromSec: number; toSec: number }) =>
  `${clock(fromSec)}–${clock(toSec)}`;
