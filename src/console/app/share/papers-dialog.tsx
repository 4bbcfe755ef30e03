/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { saveText } from "../actions/download.ts";
import { api, dataOf, send } from "../api/client.ts";
import { errorOf } from "../api/errors.ts";
import { can } from "../api/library.ts";
import type { Data } from "../api/routes.ts";
import { href, root } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import type { PaperWhere } from "./paper-where.ts";
import "./papers.css";

const PAPERS = [
  { paper: "split-sheet.csv", name: "Split sheet", hint: "Who has which share, as a table." },
  { paper: "split-sheet.html", name: "Split sheet to sign", hint: "A page to print." },
  { paper: "credits.csv", name: "Credits", hint: "Who did what, with numbers and lines of copyright." },
  { paper: "cue-sheet.csv", name: "Cue sheet", hint: "For film and television." },
  { paper: "ai-use.csv", name: "How it was made", hint: "For which parts generative tools were used." },
] as const;
type Paper = (typeof PAPERS)[number]["paper"];

type Props = { where: PaperWhere; title: string; onClose: () => void };

/** The papers that go along with music, each to be saved by itself, and the registration for societies. */
export function PapersDialog({ where, title, onClose }: Props) {
  return (
    <Dialog label={`Papers of ${title}`} onClose={onClose}>
      <div class="form">
        <ul class="papers" aria-label="Papers">
          {PAPERS.map(({ paper, name, hint }) => (
            <li key={paper}>
              <span>
                {name}
                <span class="field-hint">{hint}</span>
              </span>
              <Button
                look="secondary small"
                aria-label={`Save ${name.toLowerCase()}`}
                run={() => savePaper(where, paper, title)}
              >
                Save
              </Button>
            </li>
          ))}
        </ul>
        {can("update:composer") && <Registration where={where} />}
        <div class="dialog-actions">
          <Button run={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** @throws ApiError */
async function savePaper(where: PaperWhere, paper: Paper, title: string): Promise<void> {
  const request = new Request(`${root}/app/papers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ where, paper }),
  });
  const answer = await send(request);
  if (!answer.ok) throw await errorOf(answer);
  const type = paper.endsWith(".html") ? "text/html" : "text/csv";
  // The mark by which spreadsheets know UTF-8 is taken off when an answer is read as text.
  const mark = type === "text/csv" ? "\ufeff" : "";
  saveText(`${title} ${paper}`, mark + (await answer.text()), type);
}

type Made = Data<"POST /app/registrations">;

/** For publishers with a sender code. What cannot be registered is named. */
function Registration({ where }: { where: PaperWhere }) {
  const version = useSignal<"2.1" | "2.2">("2.1");
  const made = useSignal<Made | undefined>(undefined);
  const make = async () => {
    const body = { where, version: version.peek() };
    const answer = await dataOf(api.POST("/app/registrations", { body }));
    made.value = answer;
    if (answer.filename !== null && answer.text !== null)
      saveText(answer.filename, answer.text, "text/plain");
  };
  return (
    <section class="papers-registration" aria-label="Registration">
      <SelectField
        label="Registration for a society (CWR)"
        value={version.value}
        options={[
          { value: "2.1", name: "Version 2.1" },
          { value: "2.2", name: "Version 2.2" },
        ]}
        onChange={(value) => {
          version.value = value;
        }}
      />
      <Button look="secondary" run={make}>
        Register
      </Button>
      {made.value && <Outcome made={made.value} />}
    </section>
  );
}

function Outcome({ made: { filename, works, senderProblems, leftOut } }: { made: Made }) {
  return (
    <div role="status">
      {filename !== null && (
        <p>
          {filename} has {works === 1 ? "one work" : `${works} works`}.
        </p>
      )}
      {senderProblems.length > 0 && (
        <p>
          {senderProblems.join(" ")} Without a sender code of CISAC, send the split sheet.{" "}
          {can("manage:library") && <a href={href("/library/settings/registrations")}>Set the sender</a>}
        </p>
      )}
      {leftOut.length > 0 && (
        <ul aria-label="Left out">
          {leftOut.map(({ trackId, message }) => (
            <li key={trackId}>
              <a href={href(`/library/tracks/${trackId}?tab=credits`)}>{message}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
