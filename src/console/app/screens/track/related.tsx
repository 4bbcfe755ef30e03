/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { trackTitle } from "../../../shared/names.ts";
import { can } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { percent } from "../../ui/numbers.ts";
import { joinOlder } from "./join.ts";
import { type Copy, copiesQuery, type Mix, mixesQuery, similarQuery, type Track } from "./queries.ts";

/** What else the library has of this music: the same recording and other mixes in other tracks, and tracks that sound like it. */
export function Related({ track, title }: { track: Track; title: string }) {
  const { id: trackId } = track;
  const mixes = useQuery(mixesQuery(trackId)).data?.data ?? [];
  const others = mixes.filter(({ isSameMix }) => !isSameMix);
  const copies = useQuery(copiesQuery(trackId)).data?.data ?? [];
  const answer = useQuery(similarQuery(trackId)).data?.data;
  const known = new Set([...copies, ...mixes].map(({ id }) => id));
  const joinOf = (id: string) => {
    const mix = can("update:tracks") ? mixes.find((each) => each.id === id) : undefined;
    return mix && <Join track={track} title={title} mix={mix} />;
  };
  const similar = answer && "results" in answer ? answer.results.filter(({ id }) => !known.has(id)) : [];
  const hasVersions = others.length > 0 || copies.some(({ isSameFile }) => !isSameFile);
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
                action={copy.isSameFile ? undefined : joinOf(copy.id)}
              />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section class="related">
          <h2 id="mixes">Same song, by its sound</h2>
          <ul aria-labelledby="mixes">
            {others.map(({ id, similarity, ...mix }) => (
              <Item
                key={id}
                id={id}
                title={trackTitle(mix)}
                artist={mix.artist}
                note={`Another mix, ${percent(similarity)} alike`}
                action={joinOf(id)}
              />
            ))}
          </ul>
        </section>
      )}
      {hasVersions && can("update:tracks") && (
        <p class="soft">
          As versions they are one track, the older one. The newer one moves to Recently deleted, and its
          links end.
        </p>
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

/** Offers to make two tracks versions of the one that was there first. */
function Join({ track, title, mix }: { track: Track; title: string; mix: Mix }) {
  const own = { id: track.id, title, createdAt: track.createdAt };
  const other = { id: mix.id, title: trackTitle(mix), createdAt: mix.createdAt };
  const isNewer = own.createdAt > other.createdAt;
  return (
    <Button look="secondary" run={() => joinOlder(own, other)}>
      {isNewer ? "Make this a version of it" : "Make it a version of this"}
    </Button>
  );
}

type ItemProps = {
  id: string;
  title: string;
  artist: string | null;
  cover?: string | null;
  note: string;
  action?: ComponentChildren;
};

function Item({ id, title, artist, cover = null, note, action }: ItemProps) {
  return (
    <li class="related-item">
      <CoverPicture seed={id} cover={cover} />
      <a href={href(`/library/tracks/${id}`)}>{title}</a>
      <span class="soft">{artist}</span>
      <span class="soft related-note">{note}</span>
      {action}
    </li>
  );
}

function likeness({ isSameFile, similarity }: Copy): string {
  if (isSameFile) return "The same file";
  return similarity === 1 ? "The same samples in another file" : `The same mix, ${percent(similarity)} alike`;
}
