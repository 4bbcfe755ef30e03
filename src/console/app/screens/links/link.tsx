/** @jsxRuntime automatic @jsxImportSource preact */
import { linkName } from "../../../shared/names.ts";
import { query, useQuery } from "../../api/queries.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";

const linkQuery = (id: string) =>
  query("/app/shares/{id}", { path: { id } }, { shares: [id], activity: [id] });

export default function LinkScreen({ params: { shareId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(linkQuery(shareId));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  return data ? <Screen heading={linkName(data.data)} /> : null;
}
