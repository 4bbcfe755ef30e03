import { joinTracks } from "../../actions/join.ts";
import { go, place } from "../../router.ts";

type Joinable = { id: string; title: string; createdAt: string };

/** Makes the track that was added later versions of the one that was there first, which plays them from now on. */
export async function joinOlder(one: Joinable, other: Joinable): Promise<void> {
  const [kept, gone] = one.createdAt > other.createdAt ? [other, one] : [one, other];
  const text = `${gone.title} is a version of ${kept.title} now`;
  await joinTracks({ keptId: kept.id, goneId: gone.id }, { text });
  if (place.peek().path === `/library/tracks/${gone.id}`) go(`/library/tracks/${kept.id}`);
}
