/** @jsxRuntime automatic @jsxImportSource preact */
import "./track.css";
import "./compare.css";
import { trackTitle } from "../../../shared/names.ts";
import { useQuery } from "../../api/queries.ts";
import { NothingHere } from "../../ui/nothing-here.tsx";
import { Problem } from "../../ui/problem.tsx";
import type { ScreenProps } from "../../ui/screen.tsx";
import { trackQuery, versionsQuery } from "./queries.ts";
import { Sheet } from "./sheet.tsx";

/** The same list every time: what depends on it is not made anew. */
const NONE: readonly never[] = [];

export default function TrackScreen({ params: { trackId = "" }, isPanel = false }: ScreenProps) {
  const { data, error, refetch } = useQuery(trackQuery(trackId));
  const versions = useQuery(versionsQuery(trackId));
  if (error && !data) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const { track, activeVersionId } = data.data;
  if (!track) return <NothingHere />;
  const title = trackTitle({ title: track.audio_profile.title, name: track.name });
  const sheet = (
    <Sheet
      track={track}
      title={title}
      versions={versions.data?.data ?? NONE}
      activeId={activeVersionId ?? undefined}
      isPanel={isPanel}
    />
  );
  if (!isPanel) return <div class="screen sheet">{sheet}</div>;
  return (
    <aside class="panel sheet" aria-label={title}>
      {sheet}
    </aside>
  );
}
