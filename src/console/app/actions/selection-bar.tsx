/** @jsxRuntime automatic @jsxImportSource preact */

import { isAllowed, type Offered } from "../api/library.ts";
import { play } from "../player/player.ts";
import type { PlayerTrack } from "../player/queue.ts";
import { openPicker } from "../playlists/open.tsx";
import { canKeep } from "../pocket/kept.ts";
import { openPapers, papersTitle } from "../share/papers.tsx";
import { type ActionId, tooltip } from "../ui/actions.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { grouped } from "../ui/numbers.ts";
import { analyseAgain, deleteTracks, setVisible, type Target } from "./bulk.ts";
import { deliverTracks } from "./deliver.ts";
import { download } from "./download.ts";
import { openEdit } from "./edit.tsx";
import { asWanted, keepHere } from "./keep.ts";
import "./selection-bar.css";
import { openTag } from "./tag.tsx";
import { shareTracks } from "./track-menu.ts";

/** Tracks of a list that are selected. */
export type Chosen = {
  /** How many are selected; without any, the bar does not show. */
  count: number;
  /** How many the list has. */
  total: number;
  target: () => Target;
  /** Reads the selected tracks, in the order of the list. */
  read: () => Promise<readonly PlayerTrack[]>;
  all: () => void;
  clear: () => void;
};

type Deed = Offered & { name: string; run: () => unknown; action?: ActionId | undefined };

/** What can be done to everything that is selected. `more` is before "Delete"; `name` is that of the list. */
export function SelectionBar({
  chosen,
  more = [],
  name,
}: {
  chosen: Chosen;
  more?: readonly Deed[];
  name?: string;
}) {
  const { count, total, target, read, all, clear } = chosen;
  if (count === 0) return null;
  const withTracks = (run: (tracks: readonly PlayerTrack[]) => unknown) => () => read().then(run);
  const deeds: readonly Deed[] = [
    { name: "Play", run: withTracks(playChosen) },
    {
      name: "Add to playlist…",
      action: "addToPlaylist",
      need: "create:playlists",
      run: withTracks(openPicker),
    },
    ...(canKeep
      ? [{ name: "Keep on this device", run: withTracks((tracks) => keepHere(asWanted(tracks))) }]
      : []),
    { name: "Edit…", need: "update:tracks", run: () => openEdit(target()) },
    { name: "Tag…", action: "tag", need: "update:tracks", run: () => openTag(target()) },
    { name: "Keep together…", need: "update:tracks", run: withTracks(keepTogether) },
    { name: "Share…", action: "share", need: "create:shares", run: withTracks(shareTracks) },
    { name: "Deliver…", action: "deliver", need: "update:tracks", run: withTracks(deliverTracks) },
    { name: "Hide", need: "update:tracks", run: () => setVisible(target(), false) },
    { name: "Show", need: "update:tracks", run: () => setVisible(target(), true) },
    { name: "Analyse again", need: "update:tracks", run: () => analyseAgain(target()) },
    { name: "Download", need: "download:originals", run: () => download(target(), name) },
    {
      name: "Papers…",
      need: "read:composers",
      run: withTracks((tracks) => openPapers({ ids: tracks.map(({ id }) => id) }, papersTitle(tracks))),
    },
    ...more,
    {
      name: "Delete",
      action: more.length === 0 ? "remove" : undefined,
      need: "update:tracks",
      run: () => deleteTracks(target()).then((isDone) => isDone && clear()),
    },
  ];
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selection">
      <IconButton
        label="Clear selection"
        icon="close"
        look="selection-clear"
        title={tooltip("close", "Clear selection")}
        run={clear}
      />
      <span class="selection-count">{grouped(count)} selected</span>
      {count < total && (
        <Button look="quiet small" run={all}>
          Select all {grouped(total)}
        </Button>
      )}
      <span class="selection-deeds">
        {deeds.filter(isAllowed).map(({ name: deed, run, action }) => (
          <Button
            key={deed}
            look={`quiet small ${deed === "Delete" ? "danger-text" : ""}`}
            {...(action && { title: tooltip(action, deed) })}
            run={run}
          >
            {deed}
          </Button>
        ))}
      </span>
    </div>
  );
}

/** The dialog comes with its first use. */
async function keepTogether(tracks: readonly PlayerTrack[]): Promise<void> {
  const { openKeep } = await import("../sets/keep-dialog.tsx");
  await openKeep(tracks);
}

function playChosen(tracks: readonly PlayerTrack[]): void {
  const source = { key: `selection ${tracks.map(({ id }) => id).join(" ")}` };
  if (tracks.length > 0) play({ tracks, index: 0, source });
}
