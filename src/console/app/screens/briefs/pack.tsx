/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { SendDialog } from "./send.tsx";
import type { Brief, Pack } from "./types.ts";

type Song = Pack["songs"][number];

/** What could be offered for a brief, best first; what is ticked goes out as one playlist. */
export function Shortlist({ brief }: { brief: Brief }) {
  const { data, error, refetch } = useQuery(
    query(
      "/app/briefs/{id}/pack",
      { path: { id: brief.id } },
      { submissions: [brief.id], analysis: "all", composers: "all", tags: "all" },
    ),
  );
  // What was shortlisted is in, unless it was taken out; what the library has is out, unless it was taken in.
  const turned = useSignal<ReadonlySet<string>>(new Set());
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { songs, summary } = data.data;
  const isIn = ({ trackId, source }: Song) => (source === "submission") !== turned.value.has(trackId);
  const turn = (id: string) => {
    const next = new Set(turned.peek());
    if (!next.delete(id)) next.add(id);
    turned.value = next;
  };
  const chosen = songs.filter(isIn);
  const part = (source: Song["source"]) => songs.filter((song) => song.source === source);
  return (
    <section class="brief-part" aria-labelledby="brief-pack">
      <header>
        <h2 id="brief-pack">Shortlist</h2>
        <button
          type="button"
          class="button"
          aria-disabled={chosen.length === 0}
          onClick={() => {
            if (chosen.length > 0)
              showDialog((close) => (
                <SendDialog brief={brief} trackIds={chosen.map(({ trackId }) => trackId)} onClose={close} />
              ));
          }}
        >
          {sendWords(chosen.length)}
        </button>
      </header>
      <p class="soft">{summary}</p>
      <Songs heading="From the submissions" songs={part("submission")} isIn={isIn} onTurn={turn}>
        Nothing is shortlisted yet: press 1 in the Inbox.
      </Songs>
      <Songs heading="From your library" songs={part("library")} isIn={isIn} onTurn={turn}>
        Nothing in your library fits.
      </Songs>
    </section>
  );
}

const sendWords = (count: number): string =>
  count === 0 ? "Send songs…" : `Send ${count === 1 ? "1 song" : `${count} songs`}…`;

type SongsProps = {
  heading: string;
  songs: readonly Song[];
  isIn: (song: Song) => boolean;
  onTurn: (id: string) => void;
  children: string;
};

function Songs({ heading, songs, isIn, onTurn, children }: SongsProps) {
  return (
    <>
      <h3>{heading}</h3>
      {songs.length === 0 && <p class="soft">{children}</p>}
      {songs.length > 0 && (
        <ol class="pack" aria-label={heading}>
          {songs.map((song) => (
            <SongLine key={song.trackId} song={song} isIn={isIn(song)} onTurn={() => onTurn(song.trackId)} />
          ))}
        </ol>
      )}
    </>
  );
}

function SongLine({ song, isIn, onTurn }: { song: Song; isIn: boolean; onTurn: () => void }) {
  const { trackId, title, artist, senderName, score, reason, durationSec, bpm, key, others, problems } = song;
  const facts = [
    artist,
    senderName && `from ${senderName}`,
    durationSec !== null && clock(durationSec),
    bpm !== null && `${Math.round(bpm)} BPM`,
    key,
  ].filter(Boolean);
  return (
    <li class="pack-song">
      <input type="checkbox" aria-label={`Include ${title}`} checked={isIn} onChange={onTurn} />
      <div class="pack-words">
        <a href={href(`/library/tracks/${trackId}?tab=credits`)}>{title}</a>
        <p class="soft">{facts.join(" · ")}</p>
        {reason.length > 0 && <p class="soft">{reason.slice(0, 3).join(" · ")}</p>}
        {others.length > 0 && <p class="soft">Left out: {others.map((other) => other.title).join(", ")}</p>}
      </div>
      <span class="pack-score">{score === null ? "Not analysed" : `${Math.round(100 * score)} %`}</span>
      <p class={problems.length === 0 ? "pack-credits good" : "pack-credits warn"}>
        {problems.length === 0 ? "Credits complete" : problems.join("; ")}
      </p>
    </li>
  );
}
