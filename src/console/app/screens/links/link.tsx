/** @jsxRuntime automatic @jsxImportSource preact */
import { linkName } from "../../../shared/names.ts";
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";
import { LinkSettings } from "./link-settings.tsx";
import { copyLink, nameOf } from "./links-table.tsx";
import { leftOutOf, sentenceOf, visitsOf } from "./listening.ts";
import { revokeSoon, revoking } from "./revoke.ts";
import { type Link, stateOf } from "./state.ts";
import { Visits } from "./visits.tsx";
import "./links.css";

const linkQuery = (id: string) =>
  query("/app/links/{id}", { path: { id } }, { shares: [id], activity: "all", tracks: "all" });
const activityQuery = (id: string) =>
  query(
    "/app/shares/{id}/activity",
    { path: { id }, query: { limit: 200 } },
    { shares: [id], activity: "all" },
  );

/** One link: who it is for, what became of it, and what it allows. */
export default function LinkScreen({ params: { shareId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(linkQuery(shareId));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const link = data.data;
  const state = revoking.value.has(link.id) ? "Revoked" : stateOf(link);
  return (
    <Screen
      heading={linkName(link)}
      note={<span class={`state state-${state.toLowerCase().replace(" ", "-")}`}>{state}</span>}
      tools={state === "Revoked" ? undefined : <Tools link={link} />}
    >
      <p class="link-leads">
        To <a href={href(`/library/${link.entity}s/${link.entityId}`)}>{nameOf(link)}</a>
      </p>
      <Listening link={link} />
      {state !== "Revoked" && <LinkSettings link={link} />}
    </Screen>
  );
}

function Tools({ link }: { link: Link }) {
  return (
    <>
      <button type="button" class="button secondary" onClick={() => void copyLink(link)}>
        <Icon name="copy" />
        Copy link
      </button>
      <button type="button" class="button quiet link-revoke" onClick={() => revokeSoon(link.id)}>
        Revoke
      </button>
    </>
  );
}

function Listening({ link }: { link: Link }) {
  const { data, error, refetch } = useQuery(activityQuery(link.id));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const visits = visitsOf(data.data);
  const leftOut = leftOutOf(data.data);
  return (
    <>
      <p class="link-sentence">{sentenceOf(link.recipient, data.data)}</p>
      {visits.length > 0 && <Visits visits={visits} />}
      {leftOut.length > 0 && (
        <details class="link-left-out">
          <summary>Not counted</summary>
          <ul>
            {leftOut.map(({ why, count }) => (
              <li key={why}>
                {count} {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
