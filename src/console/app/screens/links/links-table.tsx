/** @jsxRuntime automatic @jsxImportSource preact */
import { trackTitle } from "../../../shared/names.ts";
import { can } from "../../api/library.ts";
import { useMaker } from "../../api/team.ts";
import { href } from "../../first-data.ts";
import { copyLink } from "../../share/copy.ts";
import { IconButton } from "../../ui/button.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { LongTable } from "../../ui/long-table.tsx";
import { revoking } from "./revoke.ts";
import { type Link, stateClass, stateOf } from "./state.ts";

const COLUMNS = ["For", "What", "Made", "Last heard", "Plays", "State"] as const;
/** What only those see who see who listened. */
const OF_LISTENING: readonly string[] = ["Last heard", "Plays"];
const columns = () => COLUMNS.filter((name) => can("read:analytics") || !OF_LISTENING.includes(name));

/** The table "Links". */
export const LinksTable = ({ links }: { links: readonly Link[] }) => (
  <LongTable
    label="Links"
    class="links"
    columns={columns()}
    items={links}
    row={(link, rowIndex) => <LinkRow key={link.id} link={link} rowIndex={rowIndex} />}
  />
);

function LinkRow({ link, rowIndex }: { link: Link; rowIndex: number }) {
  const maker = useMaker(link.madeBy);
  const state = revoking.value.has(link.id) ? "Revoked" : stateOf(link);
  return (
    <tr aria-rowindex={rowIndex}>
      <td class="link-for">
        <div class="link-name">
          <a href={href(`/library/links/${link.id}`)}>{link.recipient ?? "Anyone with the link"}</a>
          {link.active && (
            <IconButton
              label={`Copy link for ${link.recipient ?? "anyone"}`}
              icon="copy"
              title="Copy link"
              run={() => copyLink(link.url)}
            />
          )}
          {link.allowReview && <span class="mark">Asks for approval</span>}
        </div>
      </td>
      <td class="link-what">
        <a href={href(`/library/${link.entity}s/${link.entityId}`)}>{nameOf(link)}</a>
      </td>
      <td class="link-made soft" title={wholeTime(link.createdAt)}>
        {day(link.createdAt)}
        {maker && <span class="link-by"> · {maker}</span>}
      </td>
      {can("read:analytics") && (
        <>
          <td class="link-heard soft">{link.lastHeardAt === null ? "Not yet" : ago(link.lastHeardAt)}</td>
          <td class="link-plays figure" data-unit={link.plays === 1 ? " play" : " plays"}>
            {link.plays}
          </td>
        </>
      )}
      <td class="link-state">
        <span class={stateClass(state)}>{state}</span>
      </td>
    </tr>
  );
}

/** Returns what a link leads to. */
export function nameOf({ entity, title, name }: Link): string {
  if (title === null || name === null) return `A deleted ${entity}`;
  return title === name && entity === "track" ? trackTitle({ title: null, name }) : title;
}
