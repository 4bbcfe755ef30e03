/** @jsxRuntime automatic @jsxImportSource preact */
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/numbers.ts";
import "./links.css";
import { can } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { copyLink } from "../../share/copy.ts";
import { ListenedNote } from "../../share/listened.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { type Link, linksQuery } from "./queries.ts";

/** The links that this track was sent out by. */
export function Links({ trackId, onShare }: { trackId: string; onShare: () => void }) {
  const { data } = useQuery(linksQuery(trackId));
  const links = data?.data ?? [];
  return (
    <div class="sheet-links">
      <div>
        <Button look="secondary" icon="add" run={onShare}>
          New link
        </Button>
      </div>
      {data && links.length === 0 && <p class="soft">No one has a link to this track yet.</p>}
      {links.length > 0 && (
        <ul aria-label="Links to this track">
          {links.map((link) => (
            <LinkItem key={link.id} link={link} />
          ))}
        </ul>
      )}
      {links.length > 0 && can("read:analytics") && <ListenedNote />}
    </div>
  );
}

function LinkItem({ link }: { link: Link }) {
  const { id, recipient, createdAt, plays, lastHeardAt, active, allowReview } = link;
  const heard = lastHeardAt === null ? "not heard yet" : `last heard ${ago(lastHeardAt)}`;
  return (
    <li class="sheet-link">
      <a href={href(`/library/links/${id}`)}>{recipient ?? "Anyone with the link"}</a>
      <span class="soft" title={wholeTime(createdAt)}>
        {can("read:analytics") && `${counted(plays, "play")}, ${heard} · `}made {day(createdAt)}
        {allowReview && " · asks for approval"}
      </span>
      {active ? (
        <Button look="quiet small" icon="copy" run={() => copyLink(link.url)}>
          Copy <span class="sr-only">link for {recipient ?? "anyone"}</span>
        </Button>
      ) : (
        <span class="mark">{endOf(link)}</span>
      )}
    </li>
  );
}

function endOf({ revokedAt, turned }: Link): string {
  if (revokedAt !== null) return "Revoked";
  return turned === "on" ? "Ended" : "Off";
}
