/** @jsxRuntime automatic @jsxImportSource preact */
import { trackTitle } from "../../../shared/names.ts";
import { query, useQuery } from "../../api/queries.ts";
import { close } from "../../router.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps, useHeading } from "../../ui/screen.tsx";

const trackQuery = (trackId: string) =>
  query(
    "/app/library/tracks/single",
    { query: { id: trackId } },
    { tracks: [trackId], versions: [trackId], analysis: [trackId], tags: [trackId] },
  );

export default function TrackScreen({ params: { trackId = "" }, isPanel }: ScreenProps) {
  const { data, error, refetch } = useQuery(trackQuery(trackId));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { track } = data.data;
  if (!track) return <Screen heading="Nothing here" />;
  const title = trackTitle({ title: track.audio_profile.title, name: track.name });
  return isPanel ? <TrackPanel title={title} /> : <Screen heading={title} />;
}

function TrackPanel({ title }: { title: string }) {
  const heading = useHeading<HTMLHeadingElement>(title);
  return (
    <aside class="panel" aria-label={title}>
      <header class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => close("/library")}>
          <Icon name="close" />
        </button>
      </header>
    </aside>
  );
}
