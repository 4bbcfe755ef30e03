/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { canChange, isGuest } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { cardQuery, pathOf, rowsQuery } from "../../playlists/types.ts";
import { MissingDisclosure } from "../../readiness/disclosure.tsx";
import { go, place } from "../../router.ts";
import { Empty } from "../../ui/empty.tsx";
import { Problem } from "../../ui/problem.tsx";
import type { ScreenProps } from "../../ui/screen.tsx";
import { Head } from "./head.tsx";
import { TracksGrid } from "./tracks-grid.tsx";
import "./playlists.css";

/** One playlist or album: its head, and its tracks in their order. */
export default function PlaylistScreen({ params: { playlistId = "" } }: ScreenProps) {
  const isNaming = useSignal(false);
  const card = useQuery(cardQuery(playlistId));
  const rows = useQuery(rowsQuery(playlistId));
  const error = card.error ?? rows.error;
  const path = card.data && pathOf(card.data.data);
  // A playlist that became an album has another address.
  useEffect(() => {
    if (path !== undefined && place.peek().path !== path) go(path, { replace: true });
  }, [path]);
  if (error && !card.data)
    return <Problem error={error} onRetry={() => void Promise.all([card.refetch(), rows.refetch()])} />;
  if (!card.data) return null;
  return (
    <div class={`screen playlist ${card.data.data.kind}`}>
      <Head card={card.data.data} rows={rows.data?.data ?? []} isNaming={isNaming} />
      <Problem error={error} onRetry={rows.refetch} />
      {rows.data?.data.length === 0 && (
        <Empty heading="Nothing here yet">
          {canChange(card.data.data) && (
            <p class="soft">Add tracks here, or press A on a track anywhere in the library.</p>
          )}
        </Empty>
      )}
      {card.data.data.kind === "album" && !isGuest() && rows.data && rows.data.data.length > 0 && (
        <MissingDisclosure of={{ playlistId }} />
      )}
      {rows.data && rows.data.data.length > 0 && (
        <TracksGrid
          playlist={card.data.data}
          rows={rows.data.data}
          onRename={() => {
            isNaming.value = true;
          }}
        />
      )}
    </div>
  );
}
