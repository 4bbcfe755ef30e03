/** @jsxRuntime automatic @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { changed } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { go } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { Empty } from "../../ui/empty.tsx";
import { useCommands } from "../../ui/keys.ts";
import { counted } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { type Brief, STATUS_WORDS } from "./types.ts";
import "./briefs.css";

/** Every brief of the account, newest first. */
export default function BriefsScreen() {
  const { items, isWhole, error, retry } = usePages<Brief>("/app/briefs?limit=200", { submissions: "all" });
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
  useCommands([{ id: "new-brief", name: "New brief", run: create }]);
  const button = (
    <Button icon="add" run={create}>
      New brief
    </Button>
  );
  return (
    <Screen heading="Briefs" {...(items && isWhole && { note: String(items.length) })} tools={button}>
      <Problem error={error} onRetry={retry} />
      {items?.length === 0 && (
        <Empty heading="Ask for music">
          <p class="soft">
            A brief says what you are looking for. Give it a public page, or ask people by name: what they
            send arrives in the Inbox.
          </p>
        </Empty>
      )}
      {items && items.length > 0 && (
        <ul class="briefs" aria-label="Briefs">
          {items.map((brief) => (
            <BriefLine key={brief.id} brief={brief} />
          ))}
        </ul>
      )}
    </Screen>
  );
}

function BriefLine({ brief }: { brief: Brief }) {
  const { id, name, status, deadline, submissionCount, requestCount, publicPage } = brief;
  return (
    <li class="brief-line">
      <a class="brief-line-name tap" href={href(`/library/briefs/${id}`)}>
        {name}
      </a>
      <span class={`state state-${status}`}>{STATUS_WORDS[status]}</span>
      <p class="soft">
        {deadline === null ? "No deadline" : `Until ${day(deadline)}`}
        {publicPage && " · public page"}
        {requestCount > 0 && ` · ${requestCount} asked`}
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
