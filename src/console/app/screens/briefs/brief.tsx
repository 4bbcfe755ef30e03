/** @jsxRuntime automatic @jsxImportSource preact */
import { api } from "../../api/client.ts";
import { changed, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { go } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { confirmFinal } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen, type ScreenProps } from "../../ui/screen.tsx";
import { toast } from "../../ui/toast.tsx";
import { AskedPeople } from "./asked.tsx";
import { BriefForm } from "./form.tsx";
import { Shortlist } from "./pack.tsx";
import { Preview } from "./preview.tsx";
import { type Brief, briefQuery, changeBrief, STATUS_WORDS, textOf } from "./types.ts";
import "./briefs.css";

/** One brief: what is asked for, as it is written and as people see it; who was asked; and what could be offered. */
export default function BriefScreen({ params: { briefId = "" } }: ScreenProps) {
  const { data, error, refetch } = useQuery(briefQuery(briefId));
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return null;
  const brief = data.data;
  return (
    <Screen heading={brief.name} tools={<Leads brief={brief} />}>
      <Steps brief={brief} />
      <div class="brief-desk">
        <BriefForm brief={brief} />
        <Preview brief={brief} />
      </div>
      <AskedPeople brief={brief} />
      <Shortlist brief={brief} />
      <p class="brief-end">
        <Button look="quiet small" run={() => deleteForGood(brief)}>
          Delete brief…
        </Button>
      </p>
    </Screen>
  );
}

function Leads({ brief }: { brief: Brief }) {
  return (
    <>
      {brief.submissionCount > 0 && (
        <a class="button secondary" href={href(`/library/inbox?brief=${brief.id}&state=all`)}>
          {brief.submissionCount} in the Inbox
        </a>
      )}
      <a class="button secondary" href={href(`/library/search?q=${encodeURIComponent(textOf(brief))}`)}>
        What have we got that fits
      </a>
    </>
  );
}

type Status = Brief["status"];
const ORDER: readonly Status[] = ["draft", "open", "closed", "archived"];
/** What can follow each state. */
const NEXT: Readonly<Record<Status, readonly [name: string, to: Status][]>> = {
  draft: [["Open brief", "open"]],
  open: [["Close brief", "closed"]],
  closed: [
    ["Open brief", "open"],
    ["Archive", "archived"],
  ],
  archived: [],
};

/** Where the brief stands, and the steps from there. */
function Steps({ brief: { id, status } }: { brief: Brief }) {
  const move = async (to: Status) => {
    await changeBrief(id, { status: to });
    // Only between open and closed is there a way back.
    const canUndo = to === "closed" || (to === "open" && status === "closed");
    toast(`${STATUS_WORDS[to]} now`, canUndo ? { undo: () => changeBrief(id, { status }) } : {});
  };
  return (
    <div class="brief-steps">
      <ol aria-label="State">
        {ORDER.map((each) => (
          <li
            key={each}
            class={each === status ? "brief-step current" : "brief-step"}
            {...(each === status && { "aria-current": "step" as const })}
          >
            {STATUS_WORDS[each]}
          </li>
        ))}
      </ol>
      {NEXT[status].map(([name, to], at) => (
        <Button key={name} look={at === 0 && to === "open" ? "" : "secondary"} run={() => move(to)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

async function deleteForGood({ id, name, submissionCount }: Brief): Promise<void> {
  const why =
    submissionCount === 0
      ? "Its page and the personal links stop working."
      : "Its page and the personal links stop working, and your decisions about its submissions are lost. Tracks that came in stay in your library.";
  if (!(await confirmFinal(`Delete ${name} for good?`, "Delete", why))) return;
  await api.DELETE("/app/briefs/{id}", { params: { path: { id } } });
  changed("submissions", null);
  go("/library/briefs", { replace: true });
  toast(`${name} was deleted`);
}
