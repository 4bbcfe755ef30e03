/** @jsxRuntime automatic @jsxImportSource preact */
import type { PlayerLyrics } from "./model.ts";

/** The words of the one track of a page. */
export function Lyrics({ lyrics }: { lyrics: PlayerLyrics }) {
  return (
    <section class="lyrics" aria-labelledby="lyrics-title">
      <h2 id="lyrics-title">Lyrics</h2>
      <Stanzas lyrics={lyrics} />
    </section>
  );
}

/** The words of a track in a list, closed at first. */
export function RowLyrics({ lyrics }: { lyrics: PlayerLyrics }) {
  return (
    <details class="lyrics">
      <summary>Lyrics</summary>
      <Stanzas lyrics={lyrics} />
    </details>
  );
}

/** The script has lines with a time run along. Without it they are read. */
function Stanzas({ lyrics: { stanzas } }: { lyrics: PlayerLyrics }) {
  return (
    <div class="lyric-lines" dir="auto">
      {stanzas.map((lines, index) => (
        <p key={index}>
          {lines.map(({ text, atSec }, line) => (
            <span key={line} class="lyric" data-sung={atSec}>
              {text}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
