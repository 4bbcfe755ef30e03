/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { linkName } from "../../../shared/names.ts";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { href } from "../../first-data.ts";
import { copyLink } from "../../share/copy.ts";
import { NotCounted } from "../../share/left-out.tsx";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { counted } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";
import { toast } from "../../ui/toast.tsx";
import { Heat } from "./heat.tsx";
import { LinkAnswers } from "./link-answers.tsx";
import { LinkMails } from "./link-mails.tsx";
import { LinkSettings } from "./link-settings.tsx";
import { nameOf } from "./links-table.tsx";
import { type Listening, listeningQuery, sentenceOf } from "./listening.ts";
import { revokeSoon, revoking } from "./revoke.ts";
import { type Link, stateClass, stateOf } from "./state.ts";
import { Visits } from "./visits.tsx";
import "./links.css";

const linkQuery = (id: string) =>
  query("/app/links/{id}", { path: { id } }, { shares: [id], activity: "all", tracks: "all" });
/** So many tracks of a playlist show at first. */
const FIRST_TRACKS = 12;

/** One link: who it is for, what became of it, and what it allows. */
export default function LinkScreen({ params: { shareId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(linkQuery(shareId));
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const link = data.data;
  const state = revoking.value.has(link.id) ? "Revoked" : stateOf(link);
  return (
    <Screen
      heading={linkName(link)}
      note={<span class={stateClass(state)}>{state}</span>}
      tools={state === "Revoked" ? undefined : <Tools link={link} />}
    >
      {can("read:analytics") ? <Heard link={link} /> : <Leads link={link} />}
      <LinkAnswers link={link} />
      <LinkMails link={link} />
      {state !== "Revoked" && <LinkSettings link={link} />}
    </Screen>
  );
}

function Tools({ link }: { link: Link }) {
  return (
    <>
      <Button look="secondary" icon="copy" run={() => copyLink(link.url)}>
        Copy link
      </Button>
      <Button look="secondary" run={() => turn(link, link.turned !== "on")}>
        {TURNS[link.turned]}
      </Button>
      <Button look="quiet link-revoke" run={() => revokeSoon(link.id)}>
        Revoke
      </Button>
    </>
  );
}

/** What the button beside a link does. */
const TURNS = { on: "Turn off", off: "Turn on", "not-yet": "Share" } as const;

/** Turns a link on or off; off, it opens nothing and keeps its address. */
async function turn({ id }: Link, shared: boolean): Promise<void> {
  try {
    await dataOf(api.PATCH("/app/shares/{id}", { params: { path: { id } }, body: { shared } }));
    toast(shared ? "The link is on" : "The link is off");
  } finally {
    changed("shares", [id]);
  }
}

function Heard({ link }: { link: Link }) {
  const { data, error, refetch } = useQuery(listeningQuery(link.id));
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const listening = data.data;
  return (
    <>
      <p class="link-sentence">{sentenceOf(link, listening)}</p>
      <Leads link={link} />
      {listening.visits.length > 0 && link.noteParts && <Tracks listening={listening} />}
      {listening.visits.length > 0 && <Visits listening={listening} />}
      {!link.noteParts && <p class="soft">Which parts were heard is not kept for this link.</p>}
      <NotCounted notCounted={listening.notCounted} />
    </>
  );
}

/** What the link leads to, and who made it when. */
function Leads({ link }: { link: Link }) {
  const maker = useMaker(link.madeBy);
  return (
    <p class="link-leads">
      To <a href={href(`/library/${link.entity}s/${link.entityId}`)}>{nameOf(link)}</a>, made{" "}
      {day(link.createdAt)}
      {maker && ` by ${maker}`}
    </p>
  );
}

function Tracks({ listening: { tracks, visits, totals, trackCount } }: { listening: Listening }) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? tracks : tracks.slice(0, FIRST_TRACKS);
  const unheard = trackCount - tracks.length;
  return (
    <section class="link-tracks" aria-label="What was heard">
      {shown.map((track) => (
        <Heat key={track.trackId} track={track} visits={visits} visitCount={totals.visits} />
      ))}
      {tracks.length > shown.length && (
        <Button
          look="secondary small"
          run={() => {
            isWhole.value = true;
          }}
        >
          Show all {tracks.length} tracks
        </Button>
      )}
      {tracks.length > 0 && unheard > 0 && (
        <p class="soft">
          {counted(unheard, "track")} {unheard === 1 ? "was" : "were"} not heard.
        </p>
      )}
    </section>
  );
}
