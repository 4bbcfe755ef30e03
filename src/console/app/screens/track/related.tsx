/** @jsxRuntime automatic @jsxImportSource preact */
import { trackTitle } from "../../../shared/names.ts";
import { useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { type Copy, copiesQuery, similarQuery } from "./queries.ts";

/** What else the library has of this music: the same recording in other tracks, and tracks that sound like it. */
export function Related({ trackId }: { trackId: string }) {
  const copies = useQuery(copiesQuery(trackId)).data?.data ?? [];
  const answer = useQuery(similarQuery(trackId)).data?.data;
  const known = new Set(copies.map(({ id }) => id));
  const similar = answer && "results" in answer ? answer.results.filter(({ id }) => !known.has(id)) : [];
  return (
    <>
      {copies.length > 0 && (
        <section class="related">
          <h2 id="copies">Same recording</h2>
          <ul aria-labelledby="copies">
            {copies.map((copy) => (
              <Item
                key={copy.id}
                id={copy.id}
                title={trackTitle(copy)}
                artist={copy.artist}
                note={likeness(copy)}
              />
            ))}
          </ul>
        </section>
      )}
      {similar.length > 0 && (
        <section class="related">
          <h2 id="similar">Similar tracks</h2>
          <ul aria-labelledby="similar">
            {similar.map(({ id, title, artists, cover, reason }) => (
              <Item
                key={id}
                id={id}
                title={trackTitle({ title: null, name: title })}
                artist={artists.join(", ")}
                cover={cover}
                note={reason.slice(0, 2).join(" · ")}
              />
            ))}
          </ul>
          <a href={href(`/library/search?like=${trackId}`)}>More like this</a>
        </section>
      )}
    </>
  );
}

type ItemProps = { id: string; title: string; artist: string | null; cover?: string | null; note: string };

function Item({ id, title, artist, cover = null, note }: ItemProps) {
  return (
    <li class="related-item">
      <CoverPicture seed={id} cover={cover} />
      <a href={href(`/library/tracks/${id}`)}>{title}</a>
      <span class="soft">{artist}</span>
      <span class="soft related-note">{note}</span>
    </li>
  );
}

function likeness({ isSameFile, similarity }: Copy): string {
  if (isSameFile) return "The same file";
  return similarity === 1
    ? "The same samples in another file"
    : `The same mix, ${Math.round(100 * similarity)} % alike`;
}
