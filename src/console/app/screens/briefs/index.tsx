/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { changed, query } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { href } from "../../first-data.ts";
import { go } from "../../router.ts";
import { day } from "../../ui/dates.ts";
import { ListScreen } from "../../ui/list-screen.tsx";
import { counted } from "../../ui/numbers.ts";
import { type Brief, STATUS_WORDS } from "./types.ts";
import "./briefs.css";

/** Every brief of the account, newest first. */
export default function BriefsScreen() {
  const pages = usePages(query("/app/briefs", { query: { limit: 200 } }, { submissions: "all" }));
  const isBusy = useSignal(false);
  const create = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      const { id } = await dataOf(api.POST("/app/briefs", { body: { name: "New brief" } }));
      changed("submissions", null);
      go(`/library/briefs/${id}`);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <ListScreen
      heading="Briefs"
      pages={pages}
      make={{ id: "new-brief", name: "New brief", run: create }}
      empty={[
        "Ask for music",
        "A brief says what you are looking for. Give it a public page, or ask people by name: what they send arrives in the Inbox.",
      ]}
    >
      {(briefs) => (
        <ul class="briefs" aria-label="Briefs">
          {briefs.map((brief) => (
            <BriefLine key={brief.id} brief={brief} />
          ))}
        </ul>
      )}
    </ListScreen>
  );
}

function BriefLine({ brief }: { brief: Brief }) {
  const { id, name, status, deadline, submissionCount, requestCount, publicPage } = brief;
  const maker = useMaker(brief.madeBy);
  return (
    <li class="brief-line">
      <a class="brief-line-name tap" href={href(`/library/briefs/${id}`)}>
        {name}
      </a>
      <span class={`mark state-${status}`}>{STATUS_WORDS[status]}</span>
      <p class="soft">
        {deadline === null ? "No deadline" : `Until ${day(deadline)}`}
        {publicPage && " · public page"}
        {requestCount > 0 && ` · ${requestCount} asked`}
        {maker && ` · by ${maker}`}
      </p>
      {submissionCount > 0 ? (
        <a class="brief-line-count tap" href={href(`/library/inbox?brief=${id}&state=all`)}>
          {counted(submissionCount, "submission")}
        </a>
      ) : (
        <span class="soft brief-line-count">Nothing has come in yet</span>
      )}
    </li>
  );
}
