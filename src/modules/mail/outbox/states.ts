import type { mails } from "../../../../db/schema.ts";
import { toIso } from "../../../kernel/time.ts";
import type { MailState } from "./shapes.ts";

type StateRow = Pick<
  typeof mails.$inferSelect,
  "id" | "state" | "code" | "answer" | "dueAt" | "endedAt" | "createdAt"
>;

/** What {@link readMailState} reads: the state of a mail `m`, in SQL. */
export const MAIL_STATE = `json_object('id', m.id, 'state', m.state, 'code', m.code, 'answer', m.answer, 'dueAt', m.due_at,
  'endedAt', m.ended_at, 'createdAt', m.created_at)`;

/** Returns what has become of a mail, of what {@link MAIL_STATE} selected. Null: there is no mail. */
export function readMailState(json: string | null): MailState | null {
  if (json === null) return null;
  const { id, state, code, answer, endedAt, dueAt, createdAt }: StateRow = JSON.parse(json);
  return { id, state, code, answer, at: toIso(endedAt ?? dueAt ?? createdAt) };
}
