/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";

const playlistQuery = (playlistId: string) =>
  query(
    "/app/library/playlists/single/{playlistId}",
    { path: { playlistId } },
    { playlists: [playlistId], tracks: "all" },
  );

export default function PlaylistScreen({ params: { playlistId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(playlistQuery(playlistId));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return <Screen heading={"name" in data.data ? data.data.name : "Nothing here"} />;
}
