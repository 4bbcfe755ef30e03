/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, Card, Notice } from "../../pages/components.tsx";
import { momentOf } from "../../pages/dates.ts";
import { Page } from "../../pages/layout.tsx";
import type { AssistantCall } from "./model.ts";

type CallsProps = {
  root: string;
  calls: readonly AssistantCall[];
  /** Only calls that changed something are shown. */
  isChangedOnly: boolean;
  /** Address of the next page; undefined: this is the last. */
  next: string | undefined;
  notice: { kind: "error" | "info"; text: string } | undefined;
};

/** `/library/assistant`: what assistants did in the library, with a button for each change that can be taken back. */
export function CallsView({ root, calls, isChangedOnly, next, notice }: CallsProps) {
  return (
    <Page title="What assistants did" root={root}>
      <Card
        title="What assistants did"
        lead={`${isChangedOnly ? "Their changes" : "Every call of a tool"} of the last 90 days, newest first. You can take back a recent change as long as nobody has changed the same thing since.`}
      >
        {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
        <p>
          {isChangedOnly ? (
            <a href={`${root}/library/assistant?all=true`}>Show all calls</a>
          ) : (
            <a href={`${root}/library/assistant`}>Show only changes</a>
          )}
        </p>
        {calls.length === 0 && (
          <p>{isChangedOnly ? "No assistant has changed anything yet." : "No calls yet."}</p>
        )}
      </Card>
      {calls.map((call) => (
        <CallCard key={call.id} root={root} call={call} />
      ))}
      {next && (
        <p>
          <a href={next}>Older calls</a>
        </p>
      )}
    </Page>
  );
}

function CallCard({ root, call }: { root: string; call: AssistantCall }) {
  const { id, at, tool, by, outcome, dryRun, changes, undoUntil, undoneAt } = call;
  return (
    <Card title={dryRun ? `${tool}, only a preview` : tool}>
      <dl class="facts">
        <dt>When</dt>
        <dd>{momentOf(new Date(at))} UTC</dd>
        <dt>By</dt>
        <dd>{[by.name ?? "a deleted key", by.client].filter((each) => each !== "").join(", ")}</dd>
        {outcome !== "ok" && <dt>Refused</dt>}
        {outcome !== "ok" && <dd>{outcome}</dd>}
        {Object.entries(call.arguments).map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd key={`${name} value`}>{shown(value)}</dd>
          </>
        ))}
        {changes.map(({ path, before, after }) => (
          <>
            <dt key={`change ${path}`}>Changed {path}</dt>
            <dd key={`change ${path} value`}>
              <del>{shown(before)}</del> <ins>{shown(after)}</ins>
            </dd>
          </>
        ))}
        {undoneAt !== null && <dt>Taken back</dt>}
        {undoneAt !== null && <dd>{momentOf(new Date(undoneAt))} UTC</dd>}
      </dl>
      {undoUntil !== null && undoneAt === null && (
        <form method="post" action={`${root}/library/assistant/undo`}>
          <input type="hidden" name="call" value={id} />
          <div class="actions">
            <Button kind="secondary">Take back</Button>
          </div>
        </form>
      )}
    </Card>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
