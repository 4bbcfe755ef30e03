/** @jsxRuntime automatic @jsxImportSource preact */

import { kindWords } from "../../../../modules/library/families/words.ts";
import { clock } from "../../../../pages/waveform.ts";
import { deliver } from "../../actions/deliver.ts";
import { can } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { openAdd } from "../../sets/add-dialog.tsx";
import { putInSet, takeOut } from "../../sets/change.ts";
import { openKind } from "../../sets/kind-dialog.tsx";
import { type Family, familyQuery, type Member } from "../../sets/queries.ts";
import { louderWords, soundWords, sumWords } from "../../sets/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import type { Track } from "./queries.ts";
import { isPlaying, loaded, pause, play } from "./sound.ts";
import "../../sets/sets.css";

/** One song with everything made from it, of which the track is a part. */
export function SetTab({ track, title }: { track: Track; title: string }) {
  const { data, error, refetch } = useQuery(familyQuery(track.id));
  if (error && !data) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const family = data.data;
  const main = family.members.find(({ trackId }) => trackId === family.mainTrackId);
  return (
    <div class="set">
      {family.members.length > 0 ? (
        <ul class="set-list" aria-label="Set">
          {family.members.map((member) => (
            <MemberItem
              key={member.trackId}
              member={member}
              family={family}
              main={main}
              isOwn={member.trackId === track.id}
              artist={track.audio_profile.artist}
            />
          ))}
        </ul>
      ) : (
        <p class="soft">
          A set keeps a song together with its instrumental, edits and stems. This track is in none.
        </p>
      )}
      {family.stemSum && <p class="soft">{sentence(sumWords(family.stemSum))}</p>}
      {can("update:tracks") && (
        <div class="set-more">
          <Button look="secondary" icon="add" run={() => openAdd({ trackId: track.id, title, family })}>
            Add to set…
          </Button>
          {family.members.length > 0 && (
            <Button look="secondary" run={() => deliver({ familyOf: track.id })}>
              Deliver…
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

type ItemProps = {
  member: Member;
  family: Family;
  main: Member | undefined;
  /** It is the track of the sheet. */
  isOwn: boolean;
  artist: string | null;
};

function MemberItem({ member, family, main, isOwn, artist }: ItemProps) {
  const { trackId, title, versionId } = member;
  const isMain = trackId === family.mainTrackId;
  const isSounding = loaded.value?.trackId === trackId && isPlaying.value;
  const toggle = () => {
    if (isSounding) pause();
    else if (versionId !== null) play({ id: trackId, title, artist, cover: null, versionId });
  };
  return (
    <li class="set-item" aria-label={title} {...(isOwn && { "aria-current": "true" as const })}>
      <IconButton
        label={`${isSounding ? "Pause" : "Play"} ${title}`}
        icon={isSounding ? "pause" : "play"}
        look="version-play"
        run={toggle}
      />
      <div class="set-words">
        <p>
          {isOwn ? <b>{title}</b> : <a href={href(`/library/tracks/${trackId}?tab=set`)}>{title}</a>}{" "}
          <span class={`mark ${isMain ? "good" : ""}`}>{isMain ? "Main mix" : kindWords(member)}</span>
          {isMain && member.kind !== "main" && <span class="mark">{kindWords(member)}</span>}
          {member.hiddenFromLinks && <span class="mark">Off links</span>}
        </p>
        <p class="soft">{factsOf(member, isMain ? undefined : main)}</p>
      </div>
      {can("update:tracks") && <Deeds member={member} family={family} isMain={isMain} />}
    </li>
  );
}

function factsOf(member: Member, main: Member | undefined): string {
  const { durationSec, joinedBy } = member;
  const facts = [
    durationSec !== null && clock(durationSec),
    main && louderWords(member.integratedLufs, main.integratedLufs),
    soundWords(member, main?.bpm ?? null),
    joinedBy === "name_and_sound" && "joined by itself",
  ];
  return facts.filter(Boolean).join(" · ");
}

/** What can be done to a member. */
function Deeds({ member, family, isMain }: { member: Member; family: Family; isMain: boolean }) {
  const { trackId, title, hiddenFromLinks } = member;
  const { mainTrackId, members } = family;
  const other = members.find((each) => each.trackId !== trackId)?.trackId;
  const place = { kind: member.kind, part: member.part, editSec: member.editSec };
  const isWhole = member.editSec === null && member.kind !== "stem";
  return (
    <div class="set-deeds">
      {other !== undefined && (
        <Button
          look="quiet small"
          aria-label={`Change kind of ${title}`}
          run={() => openKind(family, member)}
        >
          Change kind
        </Button>
      )}
      {!isMain && isWhole && mainTrackId !== null && (
        <Button
          look="quiet small"
          run={() => putInSet(trackId, { with: mainTrackId, kind: "main" }, `${title} is the main mix`)}
        >
          <span>
            Make <span class="sr-only">{title} the </span>main mix
          </span>
        </Button>
      )}
      {other !== undefined && (
        <Button
          look="quiet small"
          run={() =>
            putInSet(
              trackId,
              { with: other, ...place, hiddenFromLinks: !hiddenFromLinks },
              hiddenFromLinks ? `${title} is on links to the set` : `${title} is off links to the set`,
            )
          }
        >
          <span>
            {hiddenFromLinks ? "Show" : "Keep"} <span class="sr-only">{title} </span>
            {hiddenFromLinks ? "on" : "off"} links
          </span>
        </Button>
      )}
      <Button
        look="quiet small"
        aria-label={`Take out ${title}`}
        run={() => takeOut(trackId, `Took ${title} out of the set`)}
      >
        Take out
      </Button>
    </div>
  );
}
