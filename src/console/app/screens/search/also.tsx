/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { KIND_NAMES } from "../../../../modules/library/families/words.ts";
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { CoverPlay } from "../../player/cover-play.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Match } from "../../ui/match.tsx";
import { playMembers } from "./playing.ts";
import type { Hit, Member } from "./search.ts";

/** What a word under a title plays: one member, or all stems. */
type Word = { name: string; members: readonly Member[] };

const MOST_WORDS = 5;

/** What a word stands for: all stems together, and any other mix. */
const KINDS: Readonly<Record<Member["kind"], string>> = { ...KIND_NAMES, stem: "Stems", other: "Other mix" };

/** What else there is of a song: words that play its members, and rows of them with their own reasons. */
export function Also({ hit, prose }: { hit: Hit; prose: string }) {
  const { also = [], title } = hit;
  const isOpen = useSignal(false);
  const id = useId();
  if (also.length === 0) return null;
  const words = wordsOf(also);
  const left = words.length - MOST_WORDS;
  return (
    <div class="result-also">
      <div class="result-also-words">
        <span aria-hidden="true">also</span>
        <ul aria-label={`Also ${title}`}>
          {words.slice(0, MOST_WORDS).map(({ name, members }) => (
            <li key={members[0]?.trackId}>
              <button
                type="button"
                class="result-word"
                tabIndex={-1}
                onClick={() => playMembers(hit, members)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        {left > 0 && <span>+{left}</span>}
        <IconButton
          label={isOpen.value ? `Hide the set of ${title}` : `Show the set of ${title}`}
          icon={isOpen.value ? "up" : "down"}
          look="result-open"
          aria-expanded={isOpen.value}
          aria-controls={id}
          tabIndex={-1}
          run={() => {
            isOpen.value = !isOpen.value;
          }}
        />
      </div>
      {isOpen.value && <Members id={id} hit={hit} also={also} prose={prose} />}
    </div>
  );
}

type MembersProps = { id: string; hit: Hit; also: readonly Member[]; prose: string };

/** The members best first, those that nothing speaks for last. */
function Members({ id, hit, also, prose }: MembersProps) {
  const wanted = { path: { trackId: hit.id }, query: { query: prose } };
  const { data } = useQuery(query("/app/tracks/{trackId}/family/search", wanted, { tracks: "all" }));
  const found = new Map(data?.data.results.map((each) => [each.id, each]));
  const scoreOf = ({ trackId }: Member) => found.get(trackId)?.score ?? 0;
  return (
    <ul id={id} class="result-members" aria-label={`The set of ${hit.title}`}>
      {also
        .toSorted((a, b) => scoreOf(b) - scoreOf(a))
        .map((member) => {
          const { trackId, title } = member;
          const own = found.get(trackId);
          return (
            <li key={trackId}>
              <CoverPlay
                track={{ id: trackId, cover: own?.cover ?? hit.cover }}
                title={title}
                onPlay={() => playMembers(hit, [member])}
              />
              <div class="result-member">
                <a class="tap" href={href(`/library/tracks/${trackId}`)} tabIndex={-1}>
                  {title}
                </a>
                <span class="soft">{[nameOf(member), ...(own?.reason ?? [])].join(" · ")}</span>
              </div>
              {own && <Match score={own.score} />}
            </li>
          );
        })}
    </ul>
  );
}

/** The members in the order of their set, all stems as one; several of a kind by their titles. */
function wordsOf(also: readonly Member[]): Word[] {
  const stems = also.filter(({ kind }) => kind === "stem");
  const others = also.filter(({ kind }) => kind !== "stem");
  const names = others.map(nameOf);
  const isAlone = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  const words = others.map((member) => {
    const name = nameOf(member);
    return { name: isAlone(name) ? name : member.title, members: [member] };
  });
  return stems.length > 0 ? [...words, { name: KINDS.stem, members: stems }] : words;
}

/** "Instrumental", "30 s", "Instrumental, 30 s", "Stem: drums". */
function nameOf({ kind, part, editSec }: Member): string {
  if (kind === "stem") return part === null ? "Stem" : `Stem: ${part}`;
  if (editSec === null) return KINDS[kind];
  return kind === "main" ? `${editSec} s` : `${KINDS[kind]}, ${editSec} s`;
}
